/* Part of rustbridge_wire.hpp. The objects that accompany a message. */
#ifndef RUSTBRIDGE_WIRE_OBJECTS_HPP
#define RUSTBRIDGE_WIRE_OBJECTS_HPP

#include <memory>
#include <vector>

#include "../object.hpp"

namespace rustbridge::wire {

/// The client's state that received objects share: its prepared methods.
using Context = std::shared_ptr<const void>;

/// The objects that a call borrows while its request is written.
struct LentObjects {
  /// The instance that they belong to.
  rb_instance instance = 0;
  /// Their numbers, in the order of their positions.
  std::vector<rb_object> numbers{};
  /// The client's state, by which objects of the host become objects of the plugin.
  Context context{};
  /// The objects that were created for the message. The call borrows them until it ends, so they are released after its submission.
  std::vector<Object> created{};
};

}  // namespace rustbridge::wire

#endif  // RUSTBRIDGE_WIRE_OBJECTS_HPP
