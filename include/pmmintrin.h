/* One of the headers of x86's intrinsics; warplens/x86.h has what there is of them. */
#include <warplens/x86.h>
