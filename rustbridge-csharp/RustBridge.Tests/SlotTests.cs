using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading.Tasks;
using RustBridge.Internal;
using Xunit;

namespace RustBridge.Tests;

public sealed class SlotTests
{
    [Fact]
    public void A_number_is_good_until_it_is_removed()
    {
        var slots = new Slots<Item>();
        var item = new Item();
        ulong number = slots.Add(item);
        Assert.Same(item, slots.Find(number));
        Assert.Equal(1, slots.Count);
        Assert.True(slots.Remove(number));
        Assert.Null(slots.Find(number));
        Assert.False(slots.Remove(number));
        Assert.Equal(0, slots.Count);
    }

    [Fact]
    public void A_slot_that_is_used_again_has_another_number()
    {
        var slots = new Slots<Item>();
        var numbers = new HashSet<ulong>();
        var item = new Item();
        for (int round = 0; round < 1_000; round++)
        {
            ulong number = slots.Add(item);
            Assert.True(numbers.Add(number));
            slots.Remove(number);
        }

        var last = new Item();
        ulong current = slots.Add(last);
        Assert.All(numbers, number => Assert.Null(slots.Find(number)));
        Assert.All(numbers, number => Assert.False(slots.Remove(number)));
        Assert.Same(last, slots.Find(current));
    }

    [Fact]
    public void Numbers_that_were_never_given_find_nothing()
    {
        var slots = new Slots<Item>();
        ulong number = slots.Add(new Item());
        foreach (ulong other in new ulong[] { 0, 1, uint.MaxValue, ulong.MaxValue, number + 1, number ^ (1ul << 32), number | (1ul << 63) })
        {
            Assert.Null(slots.Find(other));
            Assert.False(slots.Remove(other));
        }

        Assert.Equal(1, slots.Count);
    }

    [Fact]
    public void Threads_that_add_and_remove_at_once_find_their_own_and_nobody_elses()
    {
        var slots = new Slots<Item>();
        var old = new ConcurrentQueue<(ulong Number, Item Item)>();
        Parallel.For(0, 4, thread =>
        {
            var pooled = new Item();
            var mine = new List<Item>();
            for (int round = 0; round < 20_000; round++)
            {
                // One that is added again and again, as pooled ones are, beside some that stay a while and let the table grow.
                ulong number = slots.Add(pooled);
                Assert.Same(pooled, slots.Find(number));
                if (round % 100 == 0)
                {
                    mine.Add(new Item());
                    slots.Add(mine[^1]);
                    old.Enqueue((number, pooled));
                }

                Assert.True(slots.Remove(number));
                Assert.Null(slots.Find(number));
                Item kept = mine[round % mine.Count];
                Assert.Same(kept, slots.Find(kept.Number));
            }

            Assert.All(mine, item => Assert.True(slots.Remove(item.Number)));
        });
        Assert.Equal(0, slots.Count);
        Assert.All(old, one => Assert.Null(slots.Find(one.Number)));
    }

    private sealed class Item : INumbered
    {
        public ulong Number { get; set; }
    }
}
