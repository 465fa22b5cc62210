package quiz

import "math/big"

// Score is an exact number: a fraction of a question (0 to 1) or points.
// Floating point would let two machines round the same answers differently
// (a fused multiply-add is enough), and a pass mark would then be luck.
// The zero value is 0.
type Score struct{ r *big.Rat }

// Ratio is a/b; b must not be 0.
func Ratio(a, b int) Score { return Score{big.NewRat(int64(a), int64(b))} }

// Points is a whole number of points.
func Points(n int) Score { return Ratio(n, 1) }

func (s Score) rat() *big.Rat {
	if s.r == nil {
		return new(big.Rat)
	}
	return s.r
}

// Plus adds.
func (s Score) Plus(o Score) Score { return Score{new(big.Rat).Add(s.rat(), o.rat())} }

// Minus subtracts.
func (s Score) Minus(o Score) Score { return Score{new(big.Rat).Sub(s.rat(), o.rat())} }

// Times multiplies.
func (s Score) Times(o Score) Score { return Score{new(big.Rat).Mul(s.rat(), o.rat())} }

// Over divides; dividing by 0 gives 0, which is what a quiz of no points is worth.
func (s Score) Over(o Score) Score {
	if o.Cmp(Score{}) == 0 {
		return Score{}
	}
	return Score{new(big.Rat).Quo(s.rat(), o.rat())}
}

// Cmp is -1, 0 or 1.
func (s Score) Cmp(o Score) int { return s.rat().Cmp(o.rat()) }

// Max is the larger one.
func (s Score) Max(o Score) Score {
	if s.Cmp(o) < 0 {
		return o
	}
	return s
}

// Min is the smaller one.
func (s Score) Min(o Score) Score {
	if s.Cmp(o) > 0 {
		return o
	}
	return s
}

// Decimal writes the score with n decimals, halves away from zero.
func (s Score) Decimal(n int) string { return s.rat().FloatString(n) }

// String writes up to four decimals without trailing zeros: 0.6667, 2, 1.5.
func (s Score) String() string {
	t := s.Decimal(4)
	for t[len(t)-1] == '0' {
		t = t[:len(t)-1]
	}
	if t[len(t)-1] == '.' {
		t = t[:len(t)-1]
	}
	if t == "-0" {
		return "0"
	}
	return t
}

// MarshalJSON writes the same digits as String, as a JSON number.
func (s Score) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }
