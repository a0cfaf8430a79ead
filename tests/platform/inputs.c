/* The smallest fuzzing engine: runs the files it is given, once each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    FILE* file = fopen(argv[i], "rb");
    if (file == NULL) return 2;
    uint8_t* bytes = malloc(1 << 20);
    const size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    printf("Executed %s\n", argv[i]);
  }
  return 0;
}
