import CRuntime
import Foundation
import OpenCocoaFoundation

/// One recording from its start to its end: the numbers that were given so far, and the piece that is being put together.
///
/// The recorder's lock guards it.
final class RecordingSession {
  /// The length above which a piece is written; each sample writes the piece, too.
  static let pieceLength = 64 << 10

  let number: UInt32
  private let file: Int32
  private let limit: Int
  private var length = 0
  private var buffer = RecordingBuffer(capacity: RecordingSession.pieceLength + 4096)
  private var lastTicks: UInt64 = 0
  /// Whether the recording takes no more events, because it is too long, or the file could not be written.
  private(set) var isFull = false
  private(set) var failure: Int32 = 0

  private var names: [String: UInt32] = [:]
  private var statements: [String: UInt32] = [:]
  /// The numbers by the address of a layout or property. The arrays keep these objects alive, so that no other object
  /// gets the same address.
  private var objectNames = RecordedNumbers()
  private var kept: [AnyObject] = []
  /// The numbers of stacks, by hash.
  private var stacks = RecordedNumbers()
  private(set) var addresses: Set<UInt> = []
  /// The shapes, by the identity of the predicate.
  private var shapes: [ObjectIdentifier: (predicate: NSPredicate, text: String)] = [:]
  private var touches: [Int: Unmanaged<FetchTouches>] = [:]
  private var fetches = 0

  init(number: UInt32, file: Int32, limit: Int) {
    self.number = number
    self.file = file
    self.limit = limit
    write(RecordingFormat.magic + withUnsafeBytes(of: RecordingFormat.version.littleEndian) { Array($0) })
    beginPiece()
  }

  // MARK: Pieces

  private func beginPiece() {
    buffer.removeAll()
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    lastTicks = runtime_ticks()
    buffer.put(.clock)
    buffer.put(UInt(lastTicks))
    buffer.put(UInt(now.tv_sec) * 1_000_000_000 + UInt(now.tv_nsec))
  }

  /// Writes the pending records to the file. From then on they are safe, even if the program crashes.
  func flush() {
    let content = buffer.content
    let head = [UInt32(content.count).littleEndian, RecordingFormat.checksum(content).littleEndian]
    write(head.withUnsafeBytes { Array($0) } + content)
    beginPiece()
  }

  /// Begins a piece with a sample; the piece's clock is the time of the sample.
  func sample(_ memory: CoreDataInstruments.Memory) {
    flush()
    put(memory)
    put(CoreDataInstruments.counters)
  }

  private func write(_ bytes: [UInt8]) {
    guard failure == 0 else { return }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        failure = errno
        isFull = true
        return
      }
    }
    length += bytes.count
    if length > limit { isFull = true }
  }

  @inline(__always)
  private func room(_ numbers: Int) {
    if buffer.count > Self.pieceLength { flush() }
    buffer.reserve(numbers * 10)
  }

  func end(_ reason: Int) {
    room(2)
    buffer.put(.end)
    buffer.put(reason)
    flush()
    close(file)
  }

  // MARK: Numbers for repeated values

  func name(_ text: String) -> UInt32 {
    if let known = names[text] { return known }
    let number = UInt32(names.count + 1)
    names[text] = number
    room(1)
    buffer.put(.name)
    buffer.put(text: text)
    return number
  }

  /// Returns the number of an object's name, by the object's address, and keeps the object alive from now on.
  @inline(__always)
  private func name(of object: AnyObject, _ text: () -> String) -> UInt32 {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    let known = objectNames.number(of: address)
    if known != 0 { return known }
    let number = name(text())
    objectNames.set(number, for: address)
    kept.append(object)
    return number
  }

  func statement(_ sql: String) -> (number: UInt32, isNew: Bool) {
    if let known = statements[sql] { return (known, false) }
    let number = UInt32(statements.count + 1)
    statements[sql] = number
    room(1)
    buffer.put(.statement)
    buffer.put(text: sql)
    return (number, true)
  }

  func put(_ plan: [String], of statement: UInt32, _ path: String) {
    room(2)
    buffer.put(.plan)
    buffer.put(UInt(statement))
    buffer.put(text: path)
    buffer.put(text: plan.joined(separator: "\n"))
  }

  private func stack(_ frames: UnsafeBufferPointer<UInt>, _ hash: UInt) -> UInt32 {
    let known = stacks.number(of: hash)
    if known != 0 { return known }
    let number = UInt32(stacks.count + 1)
    stacks.set(number, for: hash)
    room(frames.count + 2)
    buffer.put(.stack)
    buffer.put(frames.count)
    var last: UInt = 0
    for frame in frames {
      buffer.put(RecordingFormat.zigzag(Int(bitPattern: frame &- last)))
      last = frame
      addresses.insert(frame)
    }
    return number
  }

  /// Returns the shape of a predicate; shapes are kept to be used again.
  func shape(of predicate: NSPredicate) -> String {
    if let known = shapes[ObjectIdentifier(predicate)] { return known.text }
    if shapes.count >= 512 { shapes.removeAll(keepingCapacity: true) }
    let text = PredicateShape.text(of: predicate)
    shapes[ObjectIdentifier(predicate)] = (predicate, text)
    return text
  }

  // MARK: Events

  @inline(__always)
  private func put(ticks: UInt64) {
    buffer.put(RecordingFormat.zigzag(Int(bitPattern: UInt(truncatingIfNeeded: ticks &- lastTicks))))
    lastTicks = ticks
  }

  func put(_ activity: RecordedActivity, _ frames: UnsafeBufferPointer<UInt>, _ hash: UInt, _ folded: (UInt32, Int)) {
    let entity = activity.entity.map { entity in name(of: entity) { entity.name ?? "" } } ?? 0
    let relationship =
      activity.relationship.map { property in name(of: property) { "\(property.entity.name ?? "").\(property.name)" } }
      ?? 0
    let detail = activity.detail.map(name) ?? 0
    let stack = stack(frames, hash)
    room(16)
    buffer.put(.activity)
    buffer.put(Int(activity.kind.rawValue) << 1 | (activity.failed ? 1 : 0))
    put(ticks: activity.start)
    buffer.put(UInt(truncatingIfNeeded: activity.end &- activity.start))
    buffer.put(Int(runtime_thread_number()))
    for number in [entity, relationship, detail, stack, folded.0] { buffer.put(UInt(number)) }
    for number in [folded.1, activity.rows, activity.updated, activity.deleted, activity.number] { buffer.put(number) }
  }

  func put(statement: UInt32, start: UInt64, end: UInt64, rows: Int) {
    room(8)
    buffer.put(.execution)
    put(ticks: start)
    buffer.put(UInt(truncatingIfNeeded: end &- start))
    buffer.put(UInt(statement))
    buffer.put(rows)
    buffer.put(Int(runtime_thread_number()))
  }

  /// Returns the number of the next fetch whose faults are counted.
  func nextFetch() -> Int {
    fetches += 1
    return fetches
  }

  func watch(_ counter: FetchTouches) { touches[counter.number] = .passUnretained(counter) }

  /// Records the count of a fetch whose fault batch is gone.
  func put(_ counter: FetchTouches) {
    guard let known = touches[counter.number], known.toOpaque() == Unmanaged.passUnretained(counter).toOpaque() else {
      return
    }
    touches[counter.number] = nil
    room(4)
    buffer.put(.touches)
    for number in [counter.number, counter.faults, counter.firedCount] { buffer.put(number) }
  }

  func putRemainingTouches() {
    // Counters remove themselves from the list under the lock before they are released, so those in the list are alive.
    for counter in touches.values.map({ $0 }) { counter._withUnsafeGuaranteedRef { put($0) } }
  }

  private func put(_ memory: CoreDataInstruments.Memory) {
    room(8)
    buffer.put(.memory)
    for number in [
      memory.objects, memory.faults ?? -1, memory.rowCacheBytes, memory.residentBytes, memory.peakResidentBytes,
    ] {
      buffer.put(RecordingFormat.zigzag(number))
    }
  }

  func put(_ counters: CoreDataInstruments.Counters) {
    room(6)
    buffer.put(.counters)
    for number in [
      counters.statements, counters.selects, counters.rowsRead, counters.faultsFired, counters.cacheHits,
    ] {
      buffer.put(number)
    }
  }

  func put(program path: String) {
    room(2)
    buffer.put(.program)
    buffer.put(Int(getpid()))
    buffer.put(text: path)
  }

  func put(_ image: LoadedImage) {
    room(6)
    buffer.put(.image)
    for number in [image.start, image.end, image.base, UInt(image.size), UInt(image.modified)] { buffer.put(number) }
    buffer.put(text: image.path)
  }

  func put(symbol: String, of address: UInt) {
    room(2)
    buffer.put(.symbol)
    buffer.put(address)
    buffer.put(text: symbol)
  }
}
