// Waits of C++20 on the host: what is there is got at once, what a later thread would bring is named, not a hang.
// standard: c++20
// levels: nightly
// stdout: 106 3 1 1 0
// stderr: a host thread waits for an atomic variable, latch, semaphore or barrier that no thread changes any more
// exit: 134
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include <vector>
int main() {
  std::latch done(3);
  std::counting_semaphore<8> slots(2);
  std::binary_semaphore signal(0);
  std::atomic<int> flag{0};
  std::atomic<bool> ready{false};
  std::atomic<long long> wide{0};
  std::atomic_flag lit = ATOMIC_FLAG_INIT;
  int phases = 0, sum = 0;
  std::barrier meet(1, [&]() noexcept { phases++; });
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++)
      threads.emplace_back([&, i](std::stop_token stop) {
        slots.acquire();
        if (!stop.stop_requested()) sum += i + 1;
        slots.release();
        meet.arrive_and_wait();
        done.count_down();
      });
    std::jthread setter([&] {
      flag = 1;
      flag.notify_all();
      ready = true;
      ready.notify_one();
      wide = 5;
      wide.notify_all();
      lit.test_and_set();
      lit.notify_one();
      signal.release();
    });
    done.wait();
    flag.wait(0);
    ready.wait(false);
    wide.wait(0);
    lit.wait(false);
    signal.acquire();
  }
  std::barrier two(2);
  auto first = two.arrive();
  two.arrive_and_drop();
  two.wait(std::move(first));
  std::stop_source source;
  std::stop_callback call(source.get_token(), [&] { sum += 100; });
  source.request_stop();
  const bool isFree = signal.try_acquire_for(std::chrono::milliseconds(1));
  printf("%d %d %d %d %d\n", sum, phases, (int)done.try_wait(), (int)flag, (int)isFree);
  fflush(stdout);
  std::latch never(2);
  never.arrive_and_wait();
}
