import Foundation

/// A change that has been announced and is not finished yet.
struct PendingChange {
  /// The contents of the notification of the change for one observation.
  struct Notice {
    let observance: Observance
    var watches: [KeyPathWatch]
    let change: ObservedChange
    let old: Any?
    let new: Any?
  }

  let key: String
  let thread = UInt(pthread_self())
  /// Whether key-value coding announced the change. Announcements by the property's own code within it are then ignored.
  let isAutomatic: Bool
  let notices: [Notice]
}

extension PendingChange.Notice {
  /// Makes a notice with the values that are available only before the change.
  init(_ watch: KeyPathWatch, _ change: ObservedChange) {
    observance = watch.observance
    watches = [watch]
    let change = watch.isAtTheEnd ? change : .setting
    self.change = change
    let options = observance.options
    var needsValue = options.contains(.old)
    if case .mutation = change, options.contains(.new) { needsValue = true }
    let value = needsValue ? observance.value : nil
    old = options.contains(.old) ? change.old(value) : nil
    new = options.contains(.new) ? change.newBefore(value) : nil
  }

  func tellBefore() {
    if observance.options.contains(.prior) { observance.tell(change, old: old, new: nil, isPrior: true) }
  }

  func tellBehind() {
    var new = new
    if new == nil, observance.options.contains(.new) { new = change.newBehind(observance.value) }
    observance.tell(change, old: old, new: new)
  }
}
