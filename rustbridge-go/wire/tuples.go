package wire

// Tuples: values without names. A method whose response is a tuple of two or three returns them as separate values.

// Tuple1 is one value.
type Tuple1[A any] struct {
	Item1 A
}

// Tuple2 is two values.
type Tuple2[A, B any] struct {
	Item1 A
	Item2 B
}

// Tuple3 is three values.
type Tuple3[A, B, C any] struct {
	Item1 A
	Item2 B
	Item3 C
}

// Tuple4 is four values.
type Tuple4[A, B, C, D any] struct {
	Item1 A
	Item2 B
	Item3 C
	Item4 D
}

// Tuple5 is five values.
type Tuple5[A, B, C, D, E any] struct {
	Item1 A
	Item2 B
	Item3 C
	Item4 D
	Item5 E
}

// Tuple6 is six values.
type Tuple6[A, B, C, D, E, F any] struct {
	Item1 A
	Item2 B
	Item3 C
	Item4 D
	Item5 E
	Item6 F
}

// Tuple7 is seven values.
type Tuple7[A, B, C, D, E, F, G any] struct {
	Item1 A
	Item2 B
	Item3 C
	Item4 D
	Item5 E
	Item6 F
	Item7 G
}

// Tuple8 is eight values.
type Tuple8[A, B, C, D, E, F, G, H any] struct {
	Item1 A
	Item2 B
	Item3 C
	Item4 D
	Item5 E
	Item6 F
	Item7 G
	Item8 H
}

// Tuple9 is nine values.
type Tuple9[A, B, C, D, E, F, G, H, I any] struct {
	Item1 A
	Item2 B
	Item3 C
	Item4 D
	Item5 E
	Item6 F
	Item7 G
	Item8 H
	Item9 I
}

// Tuple10 is ten values.
type Tuple10[A, B, C, D, E, F, G, H, I, J any] struct {
	Item1  A
	Item2  B
	Item3  C
	Item4  D
	Item5  E
	Item6  F
	Item7  G
	Item8  H
	Item9  I
	Item10 J
}

// Tuple11 is eleven values.
type Tuple11[A, B, C, D, E, F, G, H, I, J, K any] struct {
	Item1  A
	Item2  B
	Item3  C
	Item4  D
	Item5  E
	Item6  F
	Item7  G
	Item8  H
	Item9  I
	Item10 J
	Item11 K
}

// Tuple12 is twelve values.
type Tuple12[A, B, C, D, E, F, G, H, I, J, K, L any] struct {
	Item1  A
	Item2  B
	Item3  C
	Item4  D
	Item5  E
	Item6  F
	Item7  G
	Item8  H
	Item9  I
	Item10 J
	Item11 K
	Item12 L
}
