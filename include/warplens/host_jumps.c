/* setjmp and longjmp throw under this tag (wasi-libc's libsetjmp has the rest); its value is the address of what is thrown. */
__asm__(".globl __c_longjmp\n"
        ".tagtype __c_longjmp i32\n"
        "__c_longjmp:\n");
