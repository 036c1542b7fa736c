import Foundation

/// Keeps observers, and notifies them of changes.
package enum KeyValueObserving {
  private static var table: ObservationTable { .shared }

  // MARK: Observers

  static func add(
    _ observer: NSObject, to object: any _KeyValueCodingAndObserving, _ keyPath: String,
    _ options: NSKeyValueObservingOptions, _ context: UnsafeMutableRawPointer?
  ) {
    if isCollection(object) { notSupported(object, "addObserver:forKeyPath:options:context:", keyPath) }
    let observance = Observance(observer, object, keyPath, options, context)
    table.insert(object) { $0.observances.append(observance) }
    observance.begin()
    if options.contains(.initial) {
      observance.tell(.setting, old: nil, new: options.contains(.new) ? observance.value ?? NSNull() : nil)
    }
  }

  static func remove(
    _ observer: NSObject, from object: any _KeyValueCodingAndObserving, _ keyPath: String,
    where isWanted: (UnsafeMutableRawPointer?) -> Bool
  ) {
    if isCollection(object) { notSupported(object, "removeObserver:forKeyPath:", keyPath) }
    if end(observer, of: object, keyPath, where: isWanted) { return }
    raise(
      .range,
      "Cannot remove an observer \(KeyValueCoding.name(of: observer)) for the key path \"\(keyPath)\" from "
        + "\(KeyValueCoding.name(of: object)) because it is not registered as an observer.")
  }

  /// Ends the latest observation that matches; returns false if there is none.
  static func end(
    _ observer: NSObject, of object: any _KeyValueCodingAndObserving, _ keyPath: String,
    where isWanted: (UnsafeMutableRawPointer?) -> Bool
  ) -> Bool {
    let removed = table.lockedWhileDying(object) { observed -> Observance? in
      let index = observed.observances.lastIndex {
        $0.isOf(observer) && $0.keyPath == keyPath && isWanted($0.context)
      }
      return index.map { observed.observances.remove(at: $0) }
    }
    guard let removed else { return false }
    removed.end()
    table.removeIfUnused(object)
    return true
  }

  /// Collections cannot be observed, only the properties that hold them.
  private static func isCollection(_ object: Any) -> Bool {
    object is NSArray || object is NSSet || object is NSOrderedSet
  }

  package static func info(of object: AnyObject) -> UnsafeMutableRawPointer? {
    table.locked(object) { $0.observances.isEmpty ? nil : Unmanaged.passUnretained($0).toOpaque() }
  }

  package static func setInfo(_ info: UnsafeMutableRawPointer?, of object: AnyObject) {
    if info == Self.info(of: object) { return }
    guard info == nil else {
      raise(.invalidArgument, "observationInfo can be set to nil only, or to what it is.")
    }
    let ended = table.locked(object) { observed in
      let ended = observed.observances
      observed.observances = []
      return ended
    }
    for observance in ended ?? [] { observance.end() }
    table.removeIfUnused(object)
  }

  // MARK: Changes

  /// Announces a change to the observers of a key; `didChange` has to follow.
  ///
  /// - Parameter isAutomatic: whether observers get no further notifications of changes that are announced for the key until
  ///   `didChange`.
  package static func willChange(
    _ object: AnyObject, _ key: String, _ change: ObservedChange, isAutomatic: Bool = false
  ) {
    let thread = UInt(pthread_self())
    let watches = table.locked(object) { observed -> [KeyPathWatch]? in
      guard let watches = observed.watches[key] else { return nil }
      if observed.pending.last(where: { $0.key == key && $0.thread == thread })?.isAutomatic == true {
        observed.pending.append(PendingChange(key: key, isAutomatic: true, notices: []))
        return nil
      }
      return watches
    }
    guard let watches else { return }
    var notices: [PendingChange.Notice] = []
    var indexes: [ObjectIdentifier: Int] = [:]
    for watch in watches {
      if let index = indexes[ObjectIdentifier(watch.observance)] {
        notices[index].watches.append(watch)
      } else {
        indexes[ObjectIdentifier(watch.observance)] = notices.count
        notices.append(PendingChange.Notice(watch, change))
      }
    }
    let pending = PendingChange(key: key, isAutomatic: isAutomatic, notices: notices)
    table.insert(object) { $0.pending.append(pending) }
    for notice in notices { notice.tellBefore() }
  }

  /// Whether a change of the key has been announced on this thread by `willChange`, and `didChange` has not been called yet.
  package static func isAnnounced(_ object: AnyObject, _ key: String) -> Bool {
    let thread = UInt(pthread_self())
    return table.locked(object) { observed -> Bool? in
      observed.pending.contains { $0.key == key && $0.thread == thread }
    } ?? false
  }

  /// Notifies observers of a change that was announced.
  package static func didChange(_ object: AnyObject, _ key: String) {
    let thread = UInt(pthread_self())
    let pending = table.locked(object) { observed -> PendingChange? in
      let index =
        observed.pending.lastIndex { $0.key == key && $0.thread == thread }
        ?? observed.pending.lastIndex { $0.key == key }
      return index.map { observed.pending.remove(at: $0) }
    }
    guard let pending else { return }
    for watch in pending.notices.lazy.flatMap(\.watches) { watch.follow() }
    for notice in pending.notices { notice.tellBehind() }
    table.removeIfUnused(object)
  }

  /// Runs `body`, which changes a property, and notifies the observers of the property, unless the class says that it notifies
  /// them itself.
  package static func automatically<Result>(
    _ object: AnyObject, _ key: String, _ change: ObservedChange, _ body: () -> Result
  ) -> Result {
    guard table.locked(object, { $0.watches[key] == nil ? nil : true }) == true,
      (type(of: object) as? any NSKeyValueObserving.Type)?.automaticallyNotifiesObservers(forKey: key) ?? true
    else { return body() }
    willChange(object, key, change, isAutomatic: true)
    defer { didChange(object, key) }
    return body()
  }

  // MARK: Mistakes

  static func notSupported(_ object: Any, _ method: String, _ keyPath: String) -> Never {
    raise(.invalidArgument, "[\(KeyValueCoding.name(of: object)) \(method)] is not supported. Key path: \(keyPath)")
  }

  /// Stops the program as Apple's framework does for a notification that the observer's class does not handle.
  package static func unhandled(
    _ observer: Any, _ keyPath: String?, _ object: Any?, _ change: [NSKeyValueChangeKey: Any]?,
    _ context: UnsafeMutableRawPointer?
  ) -> Never {
    let changes = (change ?? [:]).map { "\($0.key.rawValue) = \(ValueText.of($0.value));" }.sorted().joined(
      separator: " ")
    raise(
      .internalInconsistency,
      "\(KeyValueCoding.name(of: observer)): An -observeValueForKeyPath:ofObject:change:context: message was received "
        + "but not handled.\nKey path: \(keyPath ?? "nil")\nObserved object: \(object.map(KeyValueCoding.name) ?? "nil")\n"
        + "Change: {\(changes)}\nContext: \(context.map { "\($0)" } ?? "0x0")")
  }
}
