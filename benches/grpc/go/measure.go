package main

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// How long to measure, as the clients in other languages do.
type effort struct {
	// Before anything counts.
	warmUp time.Duration
	// For each measure.
	measure time.Duration
	// How many operations at least, however long they take.
	least int
	// A sample is the mean of as many operations as fill this.
	batch time.Duration
}

// For a claim, and for a look.
var (
	full  = effort{200 * time.Millisecond, 800 * time.Millisecond, 200, 10 * time.Millisecond}
	quick = effort{40 * time.Millisecond, 80 * time.Millisecond, 10, 5 * time.Millisecond}
)

// At most so many samples per measure.
const most = 100

// Times of single operations, in nanoseconds.
type single struct {
	Count int     `json:"count"`
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999"`
	// What two adjacent readings of the clock differ by.
	Clock float64 `json:"clock"`
}

var errWrong = errors.New("an answer isn't what it should be")

func once(do operation) error {
	right, err := do(false)
	if err == nil && !right {
		return errWrong
	}
	return err
}

// Times every operation by itself; the samples are means of operations one after another.
func alone(effort effort, do operation) ([]float64, *single, error) {
	for end := time.Now().Add(effort.warmUp); time.Now().Before(end); {
		if err := once(do); err != nil {
			return nil, nil, err
		}
	}
	var times, samples []float64
	for end := time.Now().Add(effort.measure); time.Now().Before(end) || len(times) < effort.least; {
		first := len(times)
		var batch time.Duration
		for batch < effort.batch {
			before := time.Now()
			err := once(do)
			took := time.Since(before)
			if err != nil {
				return nil, nil, err
			}
			times = append(times, float64(took.Nanoseconds()))
			batch += took
		}
		samples = append(samples, float64(batch.Nanoseconds())/float64(len(times)-first))
	}
	slices.Sort(times)
	at := func(share float64) float64 { return quantile(times, share) }
	return thin(samples), &single{len(times), at(0.5), at(0.9), at(0.99), at(0.999), clock()}, nil
}

// Runs each operation on a goroutine. A sample is the time of one operation on one of them, over some milliseconds of all.
func together(effort effort, operations []operation) ([]float64, error) {
	var stop atomic.Bool
	var count atomic.Int64
	var running sync.WaitGroup
	problems := make(chan error, len(operations))
	for _, do := range operations {
		running.Add(1)
		go func() {
			defer running.Done()
			for !stop.Load() {
				if err := once(do); err != nil {
					problems <- err
					stop.Store(true)
				}
				count.Add(1)
			}
		}()
	}
	var samples []float64
	time.Sleep(effort.warmUp)
	before, done := time.Now(), count.Load()
	for end := before.Add(effort.measure); before.Before(end) && !stop.Load(); {
		time.Sleep(2 * effort.batch)
		now, sum := time.Now(), count.Load()
		if sum > done {
			samples = append(samples, float64(now.Sub(before).Nanoseconds())*float64(len(operations))/float64(sum-done))
			before, done = now, sum
		}
	}
	stop.Store(true)
	running.Wait()
	select {
	case err := <-problems:
		return nil, err
	default:
		return thin(samples), nil
	}
}

// The value below which that share of the sorted values lies, between two of them if need be.
func quantile(sorted []float64, share float64) float64 {
	place := share * float64(len(sorted)-1)
	low := int(place)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(place-float64(low))
}

// Keeps at most so many values, evenly by their order.
func thin(samples []float64) []float64 {
	if len(samples) <= most {
		return samples
	}
	slices.Sort(samples)
	kept := make([]float64, most)
	for index := range kept {
		kept[index] = samples[index*(len(samples)-1)/(most-1)]
	}
	return kept
}

func clock() float64 {
	readings := make([]float64, 1001)
	for index := range readings {
		before := time.Now()
		readings[index] = float64(time.Since(before).Nanoseconds())
	}
	slices.Sort(readings)
	return quantile(readings, 0.5)
}
