import CRuntime
import Synchronization

/// The contexts and coordinators of the process that are in use, for those who look into a running program.
///
/// A context comes into the list with its coordinator or its parent, and leaves it in its `deinit`. The list keeps nothing alive.
/// What other threads must not read from a context, such as its parent, is noted here when it is set.
enum LiveObjects {
  struct Context {
    let context: NSManagedObjectContext
    let name: String?
    /// The address of the parent; 0 for a context without one.
    let parent: UInt
    /// The address of the coordinator; 0 for a context without one, and for a child.
    let coordinator: UInt
  }

  private struct State {
    var contexts: [UInt: (parent: UInt, coordinator: UInt)] = [:]
    var coordinators: Set<UInt> = []
    /// The names of contexts and coordinators.
    var names: [UInt: String] = [:]
  }

  private static let state = Mutex(State())

  static func address(of object: AnyObject?) -> UInt {
    object.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
  }

  // MARK: What is noted

  static func note(
    _ context: NSManagedObjectContext, parent: NSManagedObjectContext?, coordinator: NSPersistentStoreCoordinator?
  ) {
    let (own, above, stores) = (address(of: context), address(of: parent), address(of: coordinator))
    state.withLock { $0.contexts[own] = (above, stores) }
  }

  static func note(_ coordinator: NSPersistentStoreCoordinator) {
    let own = address(of: coordinator)
    state.withLock { _ = $0.coordinators.insert(own) }
  }

  static func note(name: String?, of object: AnyObject) {
    let own = address(of: object)
    state.withLock { $0.names[own] = name }
  }

  /// Must be called in the object's deinit. Waits until no thread is retaining objects of the list, so that the object's memory
  /// stays valid for such a thread.
  static func forget(_ object: AnyObject) {
    let own = address(of: object)
    state.withLock { state in
      state.contexts[own] = nil
      state.coordinators.remove(own)
      if !state.names.isEmpty { state.names[own] = nil }
    }
  }

  // MARK: What is there

  /// All contexts whose deinit has not begun.
  static var contexts: [Context] {
    // The objects are released by the caller, after the lock: a deinit takes it.
    nonisolated(unsafe) var found: [Context] = []
    state.withLock { state in
      found.reserveCapacity(state.contexts.count)
      for (own, above) in state.contexts {
        guard let object = retained(own) else { continue }
        found.append(
          Context(
            context: unsafeDowncast(object, to: NSManagedObjectContext.self), name: state.names[own],
            parent: above.parent, coordinator: above.coordinator))
      }
    }
    return found
  }

  /// All coordinators whose deinit has not begun, with their names.
  static var coordinators: [(coordinator: NSPersistentStoreCoordinator, name: String?)] {
    nonisolated(unsafe) var found: [(NSPersistentStoreCoordinator, String?)] = []
    state.withLock { state in
      for own in state.coordinators {
        guard let object = retained(own) else { continue }
        found.append((unsafeDowncast(object, to: NSPersistentStoreCoordinator.self), state.names[own]))
      }
    }
    return found
  }

  private static func retained(_ address: UInt) -> AnyObject? {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address), runtime_try_retain(pointer) != nil else {
      return nil
    }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
  }
}
