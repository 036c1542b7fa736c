// Notes the state of an object in its context's event before the object changes.
extension NSManagedObject {
  /// Called before every change: the first change within an event notes the object's state before the event.
  @inline(__always)
  final func enterEvent() {
    if !state.contains(.inEvent) { beginEvent() }
  }

  /// Tells the context of a change of a listed object that no event notes.
  final func noteChangeOutsideOfEvent() { table?.context?.changed.note(changeOf: self) }

  private final func beginEvent() {
    // Values that awakeFromFetch and primitive accessors set are not part of an event.
    guard !state.contains(.awakening), let context = table?.context else { return }
    context.events.enter(self)
  }
}
