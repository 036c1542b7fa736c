// Notes the state of an object in its context's event before the object changes.
extension NSManagedObject {
  /// Called before every change: the first one of an event keeps what was there.
  @inline(__always)
  final func enterEvent() {
    if !state.contains(.inEvent) { beginEvent() }
  }

  private final func beginEvent() {
    // Values that awakeFromFetch and primitive accessors set are not part of an event.
    guard !state.contains(.awakening), let context = table?.context else { return }
    context.enterEvent(self)
  }
}

extension NSManagedObjectContext {
  /// Gives an object its entry in the current event.
  final func enterEvent(_ object: NSManagedObject) {
    if event.entries.isEmpty { beginEvent() }
    let state = object.state.intersection(.anyChange)
    object.state.insert(.inEvent)
    event.entries.append(
      ContextEvent.Entry(
        object: object, state: state, image: ObjectImage(of: object, knowsOrders: undoRecorder != nil)))
  }

  /// An object that is inserted begins with nothing.
  final func enterInsertion(_ object: NSManagedObject) {
    if event.entries.isEmpty { beginEvent() }
    object.state.formUnion([.inEvent, .changedInEvent])
    event.entries.append(ContextEvent.Entry(object: object, state: [], image: nil))
  }
}
