package rustbridge

import "testing"

func TestASlotThatIsAnothersByNowIsntAbandoned(t *testing.T) {
	queue := &queue{}
	slot := queue.take(nil)
	before := slot.userData()
	queue.give(slot)
	again := queue.take(nil)
	if again != slot {
		t.Fatal("a free slot wasn't used again")
	}
	if slot.abandon(before) {
		t.Error("who had it before has given it up")
	}
	if !slot.abandon(again.userData()) {
		t.Error("who has it can't give it up")
	}
}
