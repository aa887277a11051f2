// C++ exceptions of the host program: every kind of handler, destructors, rethrown and kept exceptions, the library's own.
// levels: nightly
// stdout: x 7
// stdout: ~n
// stdout: int 42
// stdout: ~n
// stdout: std boom
// stdout: ~n
// stdout: other 2
// stdout: ~n
// stdout: middle vector
// stdout: std vector
// stdout: ~n
// stdout: middle stoi
// stdout: std stoi
// stdout: ~n
// stdout: middle basic_string
// stdout: std basic_string
// stdout: ~n
// stdout: text text
// stdout: ~n
// stdout: std std::bad_cast
// stdout: ~n
// stdout: something
// stdout: again kept
// stdout: nested kept
// stdout: again kept
// stdout: nested kept
// stdout: double 2.5
// stdout: ~b
// stdout: ~a
// stdout: outer 3
// stderr: the host program did not catch an exception of type std::runtime_error: nobody caught this
// exit: 134
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
#include <exception>
#include <memory>
struct Base { virtual ~Base() {} int b = 1; };
struct Other { virtual ~Other() {} int o = 2; };
struct Derived : Base, Other { int d = 3; };
struct Noisy { const char *n; Noisy(const char *n) : n(n) {} ~Noisy() { printf("~%s\n", n); } };
static void thrower(int k) {
  Noisy n("n");
  switch (k) {
  case 0: throw 42;
  case 1: throw std::runtime_error("boom");
  case 2: throw Derived();
  case 3: std::vector<int>(3).at(7); break;
  case 4: std::stoi("abc"); break;
  case 5: std::string("abc").at(9); break;
  case 6: throw "text";
  case 7: { Base *b = new Base; dynamic_cast<Derived &>(*b); break; }
  case 8: throw std::make_shared<int>(5);
  }
}
static void middle(int k) { try { thrower(k); } catch (const std::logic_error &e) { printf("middle %s\n", e.what()); throw; } }
__global__ void kernel(int *x) { *x = 7; }
int main() {
  int *d; cudaMalloc(&d, 4); kernel<<<1, 1>>>(d); int x; cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost); printf("x %d\n", x);
  for (int k = 0; k < 9; k++) {
    try { middle(k); }
    catch (int i) { printf("int %d\n", i); }
    catch (const std::exception &e) { printf("std %s\n", e.what()); }
    catch (Other &o) { printf("other %d\n", o.o); }
    catch (const char *t) { printf("text %s\n", t); }
    catch (...) { printf("something\n"); }
  }
  std::exception_ptr p;
  try { throw std::out_of_range("kept"); } catch (...) { p = std::current_exception(); }
  for (int i = 0; i < 2; i++)
    try { std::rethrow_exception(p); }
    catch (std::out_of_range &e) { printf("again %s\n", e.what()); try { std::rethrow_exception(p); } catch (std::exception &e) { printf("nested %s\n", e.what()); } }
  try { try { throw 1; } catch (int) { throw 2.5; } } catch (double d) { printf("double %g\n", d); }
  try { Noisy a("a"); try { Noisy b("b"); throw 3; } catch (float) { printf("no\n"); } } catch (int i) { printf("outer %d\n", i); }
  fflush(stdout);
  throw std::runtime_error("nobody caught this");
}
