/* A program that embeds Python, begins and ends it three times, and runs the script of its argument each time. */
#include <Python.h>

int main(int count, char **arguments) {
  int run;
  for (run = 0; count == 2 && run < 3; run++) {
    Py_Initialize();
    if (PyRun_SimpleString(arguments[1]) != 0) {
      return 1;
    }
    if (Py_FinalizeEx() != 0) {
      return 2;
    }
  }
  return 0;
}
