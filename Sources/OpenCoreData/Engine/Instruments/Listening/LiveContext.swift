/// What any thread may know of a context, from what never changes. It does not keep the context alive.
struct LiveContext: Sendable {
  let address: UInt
  /// The address of the parent; 0 for a context without one.
  let parent: UInt
  /// The address of the coordinator; 0 for a context without one, and for a child.
  let coordinator: UInt
  let type: NSManagedObjectContextConcurrencyType
  let turns: ContextQueue
  /// The thread that a confined context belongs to.
  let home: UInt64
  let reference: WeakReference
  var name: String?

  init(_ context: NSManagedObjectContext, parent: UInt, coordinator: UInt) {
    address = LiveObjects.address(of: context)
    (self.parent, self.coordinator) = (parent, coordinator)
    (type, turns, home) = (context.concurrencyType, context.turns, context.home)
    reference = context.reference
  }

  var id: String { LookedID.text(address) }

  /// Whether the context has a queue to ask on.
  var hasQueue: Bool { type == .privateQueueConcurrencyType || type == .mainQueueConcurrencyType }
}
