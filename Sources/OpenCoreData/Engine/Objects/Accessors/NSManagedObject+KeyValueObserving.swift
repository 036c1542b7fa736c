import Foundation
import OpenCocoaFoundation

// Observers of modelled properties are told wherever a property changes: by its accessor, by its key, or because the
// other end of a relationship changed. A bit of the object's state says whether it has observers, so that the setters of
// objects without observers lose no time.
extension NSManagedObject {
  /// Only key-value observing calls this.
  package final func markObserved(_ isObserved: Bool) {
    if isObserved { state.insert(.observed) } else { state.remove(.observed) }
  }

  /// Changes a property, and notifies its observers.
  @inline(__always)
  final func telling(_ slot: PropertySlot, _ change: ObservedChange, _ body: () -> Void) {
    guard state.contains(.observed) else { return body() }
    tellingObservers(slot.name, change, body)
  }

  private final func tellingObservers(_ key: String, _ change: ObservedChange, _ body: () -> Void) {
    // Values that awakeFromFetch sets count as the object's first values: observers are not told of them.
    if state.contains(.awakening) { return body() }
    // A custom accessor announces the change itself, and sets the value by the primitive accessor, which notifies no
    // observer.
    if KeyValueObserving.isAnnounced(self, key) { return body() }
    let context = table?.context
    // An observer may fetch in the middle of a change.
    context?.event.hold()
    KeyValueObserving.willChange(self, key, change, isAutomatic: true)
    body()
    KeyValueObserving.didChange(self, key)
    context?.event.release()
  }

  /// Adds or removes a member of a to-many relationship, and notifies its observers if that changes the members.
  @inline(__always)
  final func tellingMember(
    _ slot: PropertySlot, _ kind: NSKeyValueSetMutationKind, _ member: NSManagedObject, _ body: () -> Void
  ) {
    guard state.contains(.observed) else { return body() }
    let members = members(slot)
    let place = members.firstIndex { $0 === member }
    if (place != nil) == (kind == .union) { return body() }
    if slot.isOrdered {
      let change: NSKeyValueChange = kind == .union ? .insertion : .removal
      return tellingObservers(slot.name, .indexed(change, [place ?? members.count]), body)
    }
    tellingObservers(slot.name, .mutation(kind, NSSet(object: member)), body)
  }

  /// Changes any number of properties, and notifies the observers of each.
  final func tellingAll(_ body: () -> Void) {
    guard state.contains(.observed), !state.contains(.awakening) else { return body() }
    let names = layout.slots.lazy.filter { !$0.isElement }.map(\.name)
    for name in names { KeyValueObserving.willChange(self, name, .setting, isAutomatic: true) }
    body()
    for name in names.reversed() { KeyValueObserving.didChange(self, name) }
  }

  /// A pointer that represents the object's observations; nil if there are none. The property of the same name gives
  /// the same pointer.
  public final func observationInfo() -> UnsafeMutableRawPointer? { KeyValueObserving.info(of: self) }

  /// Ends all observations if `observationInfo` is nil. The present value changes nothing; any other value stops the
  /// program.
  public final func setObservationInfo(_ observationInfo: UnsafeMutableRawPointer?) {
    KeyValueObserving.setInfo(observationInfo, of: self)
  }

  // MARK: What subclasses override stands on

  final func willChangeModelledValue(forKey key: String) {
    checkQueue(key)
    let slot = layout.slot(named: key)
    if slot == nil, type(of: self).contextShouldIgnoreUnmodeledPropertyChanges { return }
    willChange()
    if let slot, ignoresChanges(slot) { return }
    markChanged()
    if let slot, slot.kind.isRelationship { openBracket(slot) }
  }

  final func didChangeModelledValue(forKey key: String) {
    checkQueue(key)
    guard let slot = layout.slot(named: key) else { return }
    if slot.kind.isRelationship { closeBracket(slot) }
    if slot.kind == .toMany { return }
    if slot.kind == .composite {
      for leaf in leaves(of: slot) { changes?.untracked.remove(leaf.index) }
    } else {
      changes?.untracked.remove(slot.index)
    }
  }

  /// Whether the class's entity has a property of that name.
  static func models(_ key: String) -> Bool {
    ModelRegistry.entity(for: self)?.propertiesByName[key] != nil
  }
}
