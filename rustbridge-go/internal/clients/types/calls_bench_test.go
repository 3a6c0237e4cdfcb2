package types

import (
	"context"
	"testing"
)

func BenchmarkPerson(b *testing.B) {
	c, ctx := load(b, Services{}), context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Person(ctx, ada); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPoint(b *testing.B) {
	c, ctx := load(b, Services{}), context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Point(ctx, Point{1, 2}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkShape(b *testing.B) {
	c, ctx := load(b, Services{}), context.Background()
	shape := ShapeCircle{2.5}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Shape(ctx, shape); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHundredPeople(b *testing.B) {
	c, ctx := load(b, Services{}), context.Background()
	page := PagePerson{Items: make([]Person, 100)}
	for place := range page.Items {
		page.Items[place] = ada
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.People(ctx, page); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkThousandDoubles(b *testing.B) {
	c, ctx := load(b, Services{}), context.Background()
	doubles := make([]float64, 1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Doubles(ctx, doubles); err != nil {
			b.Fatal(err)
		}
	}
}
