import CRuntime
import Synchronization

/// The contexts and coordinators of the process that are in use, for those who look into a running program.
///
/// A context comes into the list with its coordinator or its parent, and leaves it in its `deinit`. The list keeps nothing alive.
/// What other threads must not read from a context, such as its parent, is noted here when it is set. Nothing of the list retains
/// a context: its last release would run on the thread that looks.
enum LiveObjects {
  private struct State {
    var contexts: [UInt: LiveContext] = [:]
    var coordinators: Set<UInt> = []
    /// The names of contexts and coordinators.
    var names: [UInt: String] = [:]

    /// The address of the coordinator of a context's root.
    func coordinator(of context: LiveContext) -> UInt {
      var here = context
      // A child keeps its parent alive, so that the chain has no gap.
      while let above = contexts[here.parent] { here = above }
      return here.coordinator
    }
  }

  private static let state = Mutex(State())

  static func address(of object: AnyObject?) -> UInt {
    object.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
  }

  // MARK: What is noted

  static func note(
    _ context: NSManagedObjectContext, parent: NSManagedObjectContext?, coordinator: NSPersistentStoreCoordinator?
  ) {
    let live = LiveContext(context, parent: address(of: parent), coordinator: address(of: coordinator))
    state.withLock { $0.contexts[live.address] = live }
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

  /// All contexts of the scope whose deinit has not begun.
  static func contexts(in scope: LookScope) -> [LiveContext] {
    state.withLock { state in
      state.contexts.values.compactMap { context in
        if let meant = scope.coordinators, !meant.contains(state.coordinator(of: context)) { return nil }
        var context = context
        context.name = state.names[context.address]
        return context
      }
    }
  }

  /// What `body` tells of each coordinator of the scope whose deinit has not begun. A coordinator is retained while `body` runs,
  /// which must not wait for anything.
  static func ofCoordinators<Result>(
    in scope: LookScope, _ body: (_ coordinator: NSPersistentStoreCoordinator, _ name: String?) -> Result
  ) -> [Result] {
    let all = state.withLock { state in
      state.coordinators.filter { own in scope.coordinators.map { $0.contains(own) } ?? true }
    }
    return all.sorted().compactMap { own in
      // The object is released after the lock: a deinit takes it.
      nonisolated(unsafe) var found: AnyObject?
      let name = state.withLock { state in
        if state.coordinators.contains(own) { found = retained(own) }
        return state.names[own]
      }
      return found.map { body(unsafeDowncast($0, to: NSPersistentStoreCoordinator.self), name) }
    }
  }

  private static func retained(_ address: UInt) -> AnyObject? {
    guard let pointer = UnsafeMutableRawPointer(bitPattern: address), runtime_try_retain(pointer) != nil else {
      return nil
    }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
  }
}
