package rustbridge

import "testing"

// Who gives a stream up does so at any time, also when its end has just come and its slot is another's.
func TestASlotIsGivenUpByWhoeverHasIt(t *testing.T) {
	queue := &queue{}
	first := queue.take(nil)
	number := first.userData()
	queue.give(first)
	second := queue.take(nil)
	if second != first {
		t.Fatal("a free slot wasn't used again")
	}
	if second.abandon(number) {
		t.Error("a slot was taken from who has it")
	}
	if !second.abandon(second.userData()) {
		t.Error("a slot can't be given up")
	}
	if second.abandon(number) || second.generation == uint32(number>>32) {
		t.Error("the end of what was given up would find somebody")
	}
}
