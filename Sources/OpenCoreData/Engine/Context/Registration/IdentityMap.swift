import CRuntime
import Foundation
import Synchronization

/// The identity map of one context for one root entity of one store: at most one object per primary key.
///
/// References are weak by way of `swift_tryRetain` under the lock: nil means that the object is on its way out, and the
/// caller registers a new one. Objects may be released on any thread. Keys below zero are temporary ones.
///
/// Sendable: the slots belong to `lock`, `context` to the context's queue.
final class IdentityMap: ObjectHolder, @unchecked Sendable {
  /// Nil once the context is gone or has been reset; no object is looked up here after that.
  @exclusivity(unchecked) unowned(unsafe) var context: NSManagedObjectContext? {
    // Releasing an object takes the lock, so faults can be counted safely at the same time.
    didSet { lock.withLock { _ in isLive = context != nil } }
  }
  @exclusivity(unchecked) private var isLive: Bool
  /// Nil for objects that no store has been chosen for yet.
  let store: NSPersistentStore?
  private let countsRegistrations: Bool
  /// Whether this is where objects are that no context has any more: nothing is ever registered here.
  let isLimbo: Bool
  /// Keeps the entities and layouts of the objects alive.
  let model: NSManagedObjectModel
  private let lock = Mutex<Void>(())
  @exclusivity(unchecked) private var keys: UnsafeMutablePointer<Int64>
  @exclusivity(unchecked) private var objects: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0

  init(
    context: NSManagedObjectContext?, store: NSPersistentStore?, model: NSManagedObjectModel, isLimbo: Bool = false
  ) {
    self.context = context
    self.isLimbo = isLimbo
    isLive = context != nil
    self.store = store
    countsRegistrations = !isLimbo && store?.countsRegistrations ?? false
    self.model = model
    keys = .allocate(capacity: 64)
    objects = .allocate(capacity: 64)
    objects.initialize(repeating: nil, count: 64)
    MemoryCensus.add(self)
  }

  deinit {
    MemoryCensus.remove(self)
    keys.deallocate()
    objects.deallocate()
  }

  /// The registered object of that key, retained; nil when there is none or it is being released.
  func object(_ key: Int64) -> NSManagedObject? {
    lock.withLock { _ in retained(at: position(of: key)) }
  }

  /// Makes room for that many more objects.
  func reserve(_ more: Int) {
    lock.withLock { _ in
      let needed = KeyHash.capacity(count + more)
      if needed > capacity { grow(to: max(needed, capacity + capacity / 2)) }
    }
  }

  /// Registers `object` under `key`, in place of one that is being released.
  func register(_ object: NSManagedObject, _ key: Int64) {
    let isNew = lock.withLock { _ in
      if (count + 1) * 10 > capacity * 7 { grow(to: capacity * 2) }
      let place = position(of: key)
      let isNew = objects[place] == nil
      if isNew { count += 1 }
      keys[place] = key
      objects[place] = Unmanaged.passUnretained(object).toOpaque()
      return isNew
    }
    object.attach(self, key)
    if countsRegistrations, isNew { store?.didRegister([object.objectID]) }
  }

  /// Forgets `object`, if the slot of `key` is still its own.
  func remove(_ object: UnsafeMutableRawPointer, _ key: Int64) {
    if !isLive, !countsRegistrations { return }
    if clear(object, key), countsRegistrations {
      // The object may be on its way out: its ID is made without it.
      let layout = Unmanaged<NSManagedObject>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.layout }
      store?.didUnregister([NSManagedObjectID(entity: layout.entity, store: store, key: key)])
    }
  }

  /// Forgets objects that are registered here, each under its key. They will be registered elsewhere, so their context
  /// is not told.
  func remove(_ gone: ContiguousArray<NSManagedObject>) {
    lock.withLock { _ in
      if gone.count == count {
        // The map has no other objects: it is emptied at once.
        objects.update(repeating: nil, count: capacity)
        count = 0
      } else {
        for object in gone { free(Unmanaged.passUnretained(object).toOpaque(), object.key) }
      }
    }
  }

  /// Frees the slot of `key`; false if it is not the object's.
  private func clear(_ object: UnsafeMutableRawPointer, _ key: Int64) -> Bool {
    lock.withLock { _ in free(object, key) }
  }

  /// The context lets go of all its objects at once.
  func detach() {
    if countsRegistrations, isLive {
      // Objects that are being released on other threads are not among these; their release tells of them.
      let gone = all().filter { clear(Unmanaged.passUnretained($0).toOpaque(), $0.key) }.map(\.objectID)
      if !gone.isEmpty { store?.didUnregister(gone) }
    }
    context = nil
  }

  /// The registered objects of `wanted`, in order; nil where there is none. One lock for all.
  func lookUp(_ wanted: ContiguousArray<Int64>, _ body: (Int, consuming NSManagedObject?) -> Void) {
    if wanted.isEmpty { return }
    // Retained under the lock, handed out after it: `body` may release objects, which would take the lock again.
    let found = ContiguousArray<UnsafeMutableRawPointer?>(unsafeUninitializedCapacity: wanted.count) { buffer, count in
      lock.withLock { _ in
        for index in 0..<wanted.count {
          let pointer = objects[position(of: wanted[index])]
          buffer[index] = pointer.flatMap { runtime_try_retain($0) }
        }
      }
      count = wanted.count
    }
    for index in 0..<found.count {
      body(index, found[index].map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() })
    }
  }

  /// The objects of `wanted`, in order: those that are registered, and where there is none what `make` makes for that
  /// index, which is registered. One lock for all that is found, and one for all that is new.
  func findOrMake(
    _ wanted: ContiguousArray<Int64>, make: (Int) -> Unmanaged<NSManagedObject>
  ) -> ContiguousArray<NSManagedObject> {
    ContiguousArray(unsafeUninitializedCapacity: wanted.count) { buffer, count in
      buffer.withMemoryRebound(to: Unmanaged<NSManagedObject>?.self) { found in
        lock.withLock { _ in
          for index in 0..<wanted.count {
            let pointer = objects[position(of: wanted[index])]
            found.initializeElement(
              at: index,
              to: pointer.flatMap { runtime_try_retain($0) }.map { Unmanaged<NSManagedObject>.fromOpaque($0) })
          }
        }
        // Made outside the lock: a class may have an initialiser of its own.
        var new: ContiguousArray<Int> = []
        for index in 0..<wanted.count where found[index] == nil {
          found[index] = make(index)
          new.append(index)
        }
        if !new.isEmpty { register(found, new, wanted) }
      }
      count = wanted.count
    }
  }

  /// Registers objects under keys that are not in use here.
  func register(_ new: ContiguousArray<NSManagedObject>, _ keys: ContiguousArray<Int64>) {
    if countsRegistrations {
      for (object, key) in zip(new, keys) { register(object, key) }
      return
    }
    new.forEachUncounted { $1.attach(self, keys[$0]) }
    reserve(new.count)
    lock.withLock { _ in new.forEachUncounted { place(Unmanaged.passUnretained($1).toOpaque(), keys[$0]) } }
  }

  /// Registers the objects at the indexes `new`, under the keys there.
  private func register(
    _ made: UnsafeMutableBufferPointer<Unmanaged<NSManagedObject>?>, _ new: ContiguousArray<Int>,
    _ keys: ContiguousArray<Int64>
  ) {
    if countsRegistrations {
      for index in new { made[index]?._withUnsafeGuaranteedRef { register($0, keys[index]) } }
      return
    }
    for index in new { made[index]?._withUnsafeGuaranteedRef { $0.attach(self, keys[index]) } }
    reserve(new.count)
    lock.withLock { _ in
      for index in new { place(made[index]?.toOpaque(), keys[index]) }
    }
  }

  /// Every registered object that is not being released.
  func all() -> ContiguousArray<NSManagedObject> {
    lock.withLock { _ in
      if count == 0 { return [] }
      var result: ContiguousArray<NSManagedObject> = []
      result.reserveCapacity(count)
      for place in 0..<capacity { if let object = retained(at: place) { result.append(object) } }
      return result
    }
  }

  // MARK: For those who count, on any thread

  /// How many objects are registered.
  var objectCount: Int { lock.withLock { _ in isLive ? count : 0 } }

  /// The approximate number of faults. Threads that read or refresh objects meanwhile are not stopped for the count.
  var faultCount: Int {
    var start = 0, faults = 0
    // Contexts are not to wait for all of it.
    while true {
      let more = lock.withLock { _ -> Bool in
        let end = min(start + 4096, capacity)
        guard start < end, isLive else { return false }
        for place in start..<end {
          // An object that is being released waits for the lock before it is gone.
          guard let pointer = objects[place] else { continue }
          Unmanaged<NSManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { if $0.isUnread { faults += 1 } }
        }
        start = end
        return true
      }
      if !more { return faults }
    }
  }

  // MARK: Open addressing; called under the lock

  @inline(__always)
  private func position(of key: Int64) -> Int {
    var place = KeyHash.place(key, capacity)
    while objects[place] != nil, keys[place] != key { place = KeyHash.next(place, capacity) }
    return place
  }

  /// Puts an object into its place, in which there may be one that is being released.
  @inline(__always)
  private func place(_ object: UnsafeMutableRawPointer?, _ key: Int64) {
    let place = position(of: key)
    if objects[place] == nil { count += 1 }
    keys[place] = key
    objects[place] = object
  }

  @discardableResult
  private func free(_ object: UnsafeMutableRawPointer, _ key: Int64) -> Bool {
    var hole = position(of: key)
    guard objects[hole] == object else { return false }
    objects[hole] = nil
    count -= 1
    // Closes the gap, so that a search may stop at the first free slot.
    var next = KeyHash.next(hole, capacity)
    while let moved = objects[next] {
      let home = KeyHash.place(keys[next], capacity)
      if KeyHash.distance(home, next, capacity) >= KeyHash.distance(hole, next, capacity) {
        keys[hole] = keys[next]
        objects[hole] = moved
        objects[next] = nil
        hole = next
      }
      next = KeyHash.next(next, capacity)
    }
    return true
  }

  @inline(__always)
  private func retained(at place: Int) -> NSManagedObject? {
    guard let pointer = objects[place], runtime_try_retain(pointer) != nil else { return nil }
    return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue()
  }

  private func grow(to size: Int) {
    let oldKeys = keys, oldObjects = objects, oldCapacity = capacity
    capacity = size
    keys = .allocate(capacity: capacity)
    objects = .allocate(capacity: capacity)
    objects.initialize(repeating: nil, count: capacity)
    for place in 0..<oldCapacity {
      guard let object = oldObjects[place] else { continue }
      let target = position(of: oldKeys[place])
      keys[target] = oldKeys[place]
      objects[target] = object
    }
    oldKeys.deallocate()
    oldObjects.deallocate()
  }
}
