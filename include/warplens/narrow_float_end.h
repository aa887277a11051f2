/* Ends a format that was begun for warplens/narrow_float_types.h and narrow_float_functions.h. */
#undef __WL_NUM
#undef __WL_PAIR
#undef __WL_RAW
#undef __WL_RAW_PAIR
#undef __WL_TO_FLOAT
#undef __WL_FROM_FLOAT
#undef __WL_FROM_DOUBLE
#undef __WL_FROM_INTEGER
#undef __WL_NAMED
#undef __WL_NAMED2
#undef __WL_SPREAD
#undef __WL_NATIVE
#undef __WL_ONE
#undef __WL_INFINITY
#undef __WL_PTX
#undef __WL_NO_OPERATORS
#undef __WL_NO_PAIR_OPERATORS
