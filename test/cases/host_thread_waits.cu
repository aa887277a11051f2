// A thread that waits for a later one cannot run here: named, not a hang.
// levels: nightly
// stdout: waiting
// stderr: waiting for a later thread is not supported
// exit: 134
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
  std::mutex lock;
  std::condition_variable ready;
  bool isReady = false;
  std::thread consumer([&] {
    std::unique_lock<std::mutex> held(lock);
    printf("waiting\n");
    fflush(stdout);
    ready.wait(held, [&] { return isReady; });
  });
  isReady = true;
  ready.notify_one();
  consumer.join();
  return 0;
}
