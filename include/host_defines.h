/* A name that programs include. What CUDA has here is in warplens/keywords.h, which guards itself. */
#include <warplens/keywords.h>
