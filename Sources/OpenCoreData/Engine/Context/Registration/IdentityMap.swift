import CRuntime
import Foundation
import Synchronization

/// The identity map of one context for one root entity of one store: at most one object per primary key.
///
/// References are weak by way of `swift_tryRetain` under the lock: if it gives nil, the object is being released, and the
/// caller registers a new one. Objects may be released on any thread. Keys below zero are temporary ones.
///
/// The map is Sendable: `lock` guards the slots, and `context` belongs to the context's queue.
final class IdentityMap: ObjectHolder, @unchecked Sendable {
  /// Nil once the context is gone or has been reset; no object is looked up here after that.
  @exclusivity(unchecked) unowned(unsafe) var context: NSManagedObjectContext? {
    // Releasing an object takes the lock, so faults can be counted safely at the same time.
    didSet { lock.withLock { _ in isLive = context != nil } }
  }
  @exclusivity(unchecked) private var isLive: Bool
  /// The address of the context that the map was made for; 0 for none. Any thread may read it.
  let owner: UInt
  /// Nil for objects that no store has been chosen for yet.
  let store: NSPersistentStore?
  private let countsRegistrations: Bool
  /// Whether this map is for objects that no context has any more: nothing is ever registered here.
  let isLimbo: Bool
  /// Keeps the entities and layouts of the objects alive.
  let model: NSManagedObjectModel
  /// The maps from which objects came here. The context's queue changes the list.
  @exclusivity(unchecked) private var former: ContiguousArray<Unmanaged<IdentityMap>> = []
  /// Where permanent keys of objects are found that this context does not know yet; nil in a context without a tree.
  private let permanentKeys: Mutex<PermanentKeys?>
  private let lock = Mutex<Void>(())
  /// The tag of each object's key; the key is in the object.
  @exclusivity(unchecked) private var tags: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) private var objects: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @exclusivity(unchecked) private var capacity = 64
  @exclusivity(unchecked) private var count = 0

  init(
    context: NSManagedObjectContext?, store: NSPersistentStore?, model: NSManagedObjectModel, isLimbo: Bool = false
  ) {
    permanentKeys = Mutex(context?.nestedKeys.log)
    self.context = context
    owner = LiveObjects.address(of: context)
    self.isLimbo = isLimbo
    isLive = context != nil
    self.store = store
    countsRegistrations = !isLimbo && store?.countsRegistrations ?? false
    self.model = model
    tags = .allocate(capacity: 64)
    objects = .allocate(capacity: 64)
    objects.initialize(repeating: nil, count: 64)
    precondition(TableAndState.canHold(self), "Addresses have more than 48 bits.")
    MemoryCensus.add(self)
  }

  deinit {
    MemoryCensus.remove(self)
    tags.deallocate()
    objects.deallocate()
    for map in former { map.release() }
  }

  /// Keeps a map that an object comes here from: a thread that asks for the object's ID at that moment still uses it.
  /// Limbo maps are not kept, since their objects may come back.
  func keep(_ map: Unmanaged<IdentityMap>) {
    let address = map.toOpaque()
    if former.last?.toOpaque() == address || address == Unmanaged.passUnretained(self).toOpaque() { return }
    if former.contains(where: { $0.toOpaque() == address }) || map._withUnsafeGuaranteedRef({ $0.isLimbo }) { return }
    former.append(map.retain())
  }

  /// Changes to another log of permanent keys, since the context has come into another tree.
  func follow(_ log: PermanentKeys?) { permanentKeys.withLock { $0 = log } }

  /// The permanent key that an object of the tree has got in place of a temporary one. Any thread may ask.
  func permanentKey(of temporary: Int64) -> PermanentKeys.Entry? {
    permanentKeys.withLock { $0 }?.entry(of: temporary)
  }

  /// The registered object with that key, retained; nil when there is none or it is being released.
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
    // The object gets its key first, since an object in the map is found by its own key.
    object.attach(self, key)
    let isNew = lock.withLock { _ in
      if KeyHash.isFull(count + 1, capacity) { grow(to: KeyHash.grown(capacity)) }
      return place(Unmanaged.passUnretained(object).toOpaque(), key)
    }
    if countsRegistrations, isNew { store?.didRegister([object.objectID]) }
  }

  /// Forgets an object, if the slot of its key still refers to it.
  @inline(__always)
  func remove(_ object: NSManagedObject) { remove(ObjectIdentifier(object), object.key) }

  /// Forgets an object, which may be being released, if the slot of `key` still refers to it.
  func remove(_ identity: ObjectIdentifier, _ key: Int64) {
    if !isLive, !countsRegistrations { return }
    // An object's identity is its address.
    guard let object = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: identity)) else { return }
    if clear(object, key), countsRegistrations {
      // The object may be being released, so its ID is made without it.
      let layout = Unmanaged<NSManagedObject>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.layout }
      store?.didUnregister([NSManagedObjectID(entity: layout.entity, store: store, key: key)])
    }
  }

  /// Forgets objects that are registered here, each under its key. They will be registered elsewhere, so their context
  /// is not told.
  func remove(_ gone: ContiguousArray<NSManagedObject>) {
    lock.withLock { _ in
      if gone.count == count, count > capacity / 16 {
        // The map has no other objects, so it is emptied as a whole. If a large map has only a few objects left, they are
        // removed one by one.
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

  /// Called when the context drops all its objects at once.
  func detach() {
    if countsRegistrations, isLive {
      // Objects that are being released on other threads are not among these; their release reports them.
      let gone = all().filter { clear(Unmanaged.passUnretained($0).toOpaque(), $0.key) }.map(\.objectID)
      if !gone.isEmpty { store?.didUnregister(gone) }
    }
    context = nil
  }

  /// Calls `body` with the registered object for each key of `wanted`, in order; nil where there is none. Takes the lock
  /// once.
  func lookUp(_ wanted: ContiguousArray<Int64>, _ body: (Int, consuming NSManagedObject?) -> Void) {
    if wanted.isEmpty { return }
    // The objects are retained under the lock and handed out after it: `body` may release objects, which would take the
    // lock again.
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

  /// The objects for the keys of `wanted`, in order: registered ones, and objects that `make` makes for the other
  /// indices, which are then registered. Takes the lock once to find all, and once to register all new ones.
  func findOrMake(
    _ wanted: ContiguousArray<Int64>, make: (Int) -> NSManagedObject
  ) -> ContiguousArray<NSManagedObject> {
    ContiguousArray(unsafeUninitializedCapacity: wanted.count) { buffer, count in
      buffer.withMemoryRebound(to: MadeReference.self) { found in
        var missing = 0
        lock.withLock { _ in
          for index in 0..<wanted.count {
            let pointer = objects[position(of: wanted[index])].flatMap { runtime_try_retain($0) }
            if pointer == nil { missing += 1 }
            found.initializeElement(at: index, to: MadeReference(pointer))
          }
        }
        if missing > 0 {
          // The objects are made outside the lock: a class may have an initialiser of its own.
          for index in 0..<wanted.count where found[index].isNone {
            found[index] = MadeReference(new: Unmanaged.passRetained(make(index)))
          }
          register(found, wanted, count: missing)
        }
      }
      count = wanted.count
    }
  }

  /// A reference in an array that is being filled, with a mark if its object was made for the array: a list of the marked
  /// places would take as much memory again.
  private struct MadeReference {
    private var word: UInt

    init(_ pointer: UnsafeMutableRawPointer?) { word = UInt(bitPattern: pointer) }

    init(new object: Unmanaged<NSManagedObject>) { word = UInt(bitPattern: object.toOpaque()) | 1 }

    var isNone: Bool { word == 0 }

    /// The object, if it was made.
    var new: Unmanaged<NSManagedObject>? {
      if word & 1 == 0 { return nil }
      return UnsafeRawPointer(bitPattern: word & ~1).map { Unmanaged.fromOpaque($0) }
    }

    /// Removes the mark, so that the word is a plain reference.
    mutating func removeMark() { word &= ~1 }
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

  /// Registers the objects that were made under their keys, and removes the marks.
  private func register(
    _ made: UnsafeMutableBufferPointer<MadeReference>, _ keys: ContiguousArray<Int64>, count new: Int
  ) {
    if countsRegistrations {
      for index in made.indices { made[index].new?._withUnsafeGuaranteedRef { register($0, keys[index]) } }
    } else {
      reserve(new)
      let references = ReferencesInAdvance(to: self, count: UInt32(new))
      for index in made.indices { made[index].new?._withUnsafeGuaranteedRef { $0.attach(references, keys[index]) } }
    }
    lock.withLock { _ in
      for index in made.indices {
        guard let object = made[index].new else { continue }
        if !countsRegistrations { place(object.toOpaque(), keys[index]) }
        made[index].removeMark()
      }
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

  /// At most so many of the registered objects, in no order.
  func some(_ limit: Int) -> ContiguousArray<NSManagedObject> {
    lock.withLock { _ in
      var result: ContiguousArray<NSManagedObject> = []
      for place in 0..<capacity {
        if result.count >= limit { break }
        if let object = retained(at: place) { result.append(object) }
      }
      return result
    }
  }

  // MARK: Counting, on any thread

  /// The number of registered objects.
  var objectCount: Int { lock.withLock { _ in isLive ? count : 0 } }

  /// The approximate number of faults. Threads that read or refresh objects meanwhile are not stopped for the count.
  var faultCount: Int {
    var start = 0, faults = 0
    // The lock is released between parts, so that contexts need not wait for the whole count.
    while true {
      let more = lock.withLock { _ -> Bool in
        let end = min(start + 4096, capacity)
        guard start < end, isLive else { return false }
        for place in start..<end {
          // An object that is being released waits for the lock before it is gone.
          guard let pointer = objects[place] else { continue }
          Unmanaged<NSManagedObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef { if $0.isPlainFault { faults += 1 } }
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
    let tag = KeyHash.tag(key)
    var place = KeyHash.place(tag: tag, capacity)
    while let object = objects[place] {
      if tags[place] == tag, hasKey(object, key) { break }
      place = KeyHash.next(place, capacity)
    }
    return place
  }

  /// Whether an object has that key; counts no references. An object that is being released waits for the lock before it
  /// is gone.
  @inline(__always)
  private func hasKey(_ object: UnsafeMutableRawPointer, _ key: Int64) -> Bool {
    Unmanaged<NSManagedObject>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.key == key }
  }

  /// Puts an object into its place, in which there may be one that is being released.
  /// - Returns: whether the place was free.
  @inline(__always)
  @discardableResult
  private func place(_ object: UnsafeMutableRawPointer, _ key: Int64) -> Bool {
    let place = position(of: key)
    let isNew = objects[place] == nil
    if isNew { count += 1 }
    tags[place] = KeyHash.tag(key)
    objects[place] = object
    return isNew
  }

  /// May be called on any thread, so it must not read the keys of objects, which belong to the context's queue.
  @discardableResult
  private func free(_ object: UnsafeMutableRawPointer, _ key: Int64) -> Bool {
    var hole = KeyHash.place(tag: KeyHash.tag(key), capacity)
    while objects[hole] != object {
      if objects[hole] == nil { return false }
      hole = KeyHash.next(hole, capacity)
    }
    objects[hole] = nil
    count -= 1
    // Closes the gap, so that a search can stop at the first free slot.
    var next = KeyHash.next(hole, capacity)
    while let moved = objects[next] {
      let home = KeyHash.place(tag: tags[next], capacity)
      if KeyHash.distance(home, next, capacity) >= KeyHash.distance(hole, next, capacity) {
        tags[hole] = tags[next]
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
    let oldTags = tags, oldObjects = objects, oldCapacity = capacity
    capacity = size
    tags = .allocate(capacity: capacity)
    objects = .allocate(capacity: capacity)
    objects.initialize(repeating: nil, count: capacity)
    for old in 0..<oldCapacity {
      guard let object = oldObjects[old] else { continue }
      var place = KeyHash.place(tag: oldTags[old], capacity)
      while objects[place] != nil { place = KeyHash.next(place, capacity) }
      tags[place] = oldTags[old]
      objects[place] = object
    }
    oldTags.deallocate()
    oldObjects.deallocate()
  }
}
