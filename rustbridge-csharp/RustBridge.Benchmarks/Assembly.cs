using System.Runtime.CompilerServices;

// As in the library: the floors are to be as cheap as such calls can be.
[assembly: DisableRuntimeMarshalling]
[module: SkipLocalsInit]
