/* The library's names as of Technical Report 1, which GCC still has under std::tr1: here they are those of std. */
#ifndef WARPLENS_TR1_H
#define WARPLENS_TR1_H
namespace std {
namespace tr1 {
using namespace std;
}
}
#endif
