// Everything that object_files_test looks for, wrong: no stack note, no unwind
// data, a symbol that could clash with the embedder's, one that is nowhere.
// Never linked.

#if defined(__arm__) || defined(__aarch64__)
.type wrong_function, %function
#else
.type wrong_function, @function
#endif
.globl wrong_function
wrong_function:
    nop
.size wrong_function, . - wrong_function
    .long wrong_reference
