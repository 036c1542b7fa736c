import CRuntime
import Foundation

/// Reads the events of a recording, in the layout of `RecordingFormat`.
struct RecordingDecoder {
  struct Failure: Error {
    let text: String
  }

  /// How many bytes of the file were read.
  private(set) var place = 0
  /// The addresses that were already looked up in the program's files.
  private var sought: Set<UInt> = []
  private var recording = Recording()
  private var names: [String] = []
  private var stacks: [[UInt]] = []
  private var images: [LoadedImage] = []
  private var symbols: [UInt: String] = [:]
  private var touches: [Int: Recording.Touches] = [:]
  private var numbers: [Int] = []
  /// The clocks of the first and the last piece, as ticks and nanoseconds.
  private var firstClock: (ticks: UInt64, time: UInt64)?
  private var lastClock: (ticks: UInt64, time: UInt64) = (0, 0)
  private var ticks: UInt64 = 0
  private var lastTicks: UInt64 = 0

  private struct Raw<Event> {
    let start: UInt64
    let duration: UInt64
    let make: (_ start: Double, _ duration: Double) -> Event
  }

  private var activities: [Raw<Recording.Activity>] = []
  private var executions: [Raw<Recording.Execution>] = []
  private var memory: [Raw<Recording.MemorySample>] = []
  private var counters: [Raw<Recording.CounterSample>] = []

  init() {}

  // MARK: Pieces

  /// Reads pieces up to the first incomplete one.
  /// - Parameter data: the contents of the file from `place` on.
  mutating func read(_ data: Data) throws(Failure) {
    let bytes = [UInt8](data)
    var place = self.place == 0 ? try Self.head(bytes) : 0
    let offset = self.place
    defer { self.place = offset + place }
    while place + 8 <= bytes.count {
      let length = Int(Self.number(bytes, at: place)), checksum = Self.number(bytes, at: place + 4)
      let start = place + 8
      // The piece is incomplete: the program was killed while it wrote the piece, or is still writing it.
      guard length <= bytes.count - start else { return }
      let isWhole = bytes[start..<start + length].withUnsafeBytes { RecordingFormat.checksum($0) == checksum }
      guard isWhole else { return }
      var reader = PieceReader(bytes[start..<start + length])
      while let event = reader.event() {
        guard let event = RecordingFormat.Event(rawValue: event), read(event, &reader) else {
          throw Failure(text: "the piece at \(offset + place) is damaged.")
        }
      }
      place = start + length
    }
  }

  /// Returns the length of the file's head.
  private static func head(_ bytes: [UInt8]) throws(Failure) -> Int {
    let head = RecordingFormat.magic.count + 4
    guard bytes.starts(with: RecordingFormat.magic), bytes.count >= head else {
      throw Failure(text: "it does not begin as one.")
    }
    let version = number(bytes, at: head - 4)
    guard version == RecordingFormat.version else {
      throw Failure(text: "it is of version \(version), and this reads version \(RecordingFormat.version).")
    }
    return head
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
  }

  // MARK: Events

  /// - Returns: false if the bytes end before the event does, or if the event has the number of something that is not there.
  private mutating func read(_ event: RecordingFormat.Event, _ reader: inout PieceReader) -> Bool {
    switch event {
    case .program:
      guard let process = reader.int(), let path = reader.text() else { return false }
      (recording.processID, recording.program) = (process, path)
    case .clock:
      guard let ticks = reader.number(), let time = reader.number() else { return false }
      lastClock = (UInt64(ticks), UInt64(time))
      if firstClock == nil { firstClock = lastClock }
      self.ticks = UInt64(ticks)
    case .name:
      guard let text = reader.text() else { return false }
      names.append(text)
    case .statement:
      guard let text = reader.text() else { return false }
      recording.statements.append(Recording.Statement(text: text, plan: [], store: nil))
    case .plan:
      guard let number = reader.number(), let path = reader.text(), let plan = reader.text(),
        number > 0, number <= recording.statements.count
      else { return false }
      let steps = plan.split(separator: "\n").map(String.init)
      recording.statements[Int(number) - 1].plan = steps
      recording.statements[Int(number) - 1].store = path
    case .stack:
      guard let frames = reader.addresses() else { return false }
      stacks.append(frames)
    case .image:
      guard let facts = reader.numbers(5), let path = reader.text() else { return false }
      images.append(
        LoadedImage(
          start: facts[0], end: facts[1], base: facts[2], path: path, size: Int(bitPattern: facts[3]),
          modified: Int(bitPattern: facts[4])))
    case .symbol:
      guard let address = reader.number(), let name = reader.text() else { return false }
      symbols[address] = name
    case .activity: return readActivity(&reader)
    case .execution: return readExecution(&reader)
    case .touches:
      guard let values = reader.numbers(3) else { return false }
      touches[Int(bitPattern: values[0])] = Recording.Touches(
        faults: Int(bitPattern: values[1]), fired: Int(bitPattern: values[2]))
    case .memory: return readMemory(&reader)
    case .counters: return readCounters(&reader)
    case .end:
      guard let reason = reader.int() else { return false }
      recording.end = Recording.End(rawValue: reason)
    }
    return true
  }

  private mutating func time(_ reader: inout PieceReader) -> (start: UInt64, duration: UInt64)? {
    guard let difference = reader.number(), let duration = reader.number() else { return nil }
    ticks = ticks &+ UInt64(bitPattern: Int64(RecordingFormat.unzigzag(difference)))
    lastTicks = max(lastTicks, ticks &+ UInt64(duration))
    return (ticks, UInt64(duration))
  }

  private mutating func readActivity(_ reader: inout PieceReader) -> Bool {
    guard let first = reader.int(), let kind = UInt8(exactly: first >> 1).flatMap(RecordedActivity.Kind.init),
      let (start, duration) = time(&reader), let thread = reader.int(), let ids = reader.numbers(5),
      let counts = reader.numbers(5)
    else { return false }
    guard ids[0] <= names.count, ids[1] <= names.count, ids[2] <= names.count, ids[3] <= stacks.count,
      ids[4] <= recording.statements.count
    else { return false }
    let values = counts.map { Int(bitPattern: $0) }
    let known = { [names] (id: UInt) in id == 0 ? nil : names[Int(id) - 1] }
    let entity = known(ids[0]), relationship = known(ids[1])?.split(separator: ".", maxSplits: 1).map(String.init)
    let (detail, sort) = known(ids[2]).map(RecordedSort.parts) ?? (nil, nil)
    activities.append(
      Raw(start: start, duration: duration) { start, duration in
        Recording.Activity(
          kind: kind, start: start, duration: duration, thread: thread, entity: entity,
          relationship: relationship?.last,
          owner: relationship?.first, detail: detail, sort: sort, rows: values[1], updated: values[2],
          deleted: values[3], touches: nil,
          stack: ids[3] == 0 ? nil : Int(ids[3]) - 1, failed: first & 1 != 0)
      })
    numbers.append(values[4])
    if ids[4] != 0 {
      executions.append(
        Raw(start: start, duration: duration) { start, duration in
          Recording.Execution(
            statement: Int(ids[4]) - 1, start: start, duration: duration, rows: values[0], thread: thread)
        })
    }
    return true
  }

  private mutating func readExecution(_ reader: inout PieceReader) -> Bool {
    guard let (start, duration) = time(&reader), let values = reader.numbers(3), values[0] > 0,
      values[0] <= recording.statements.count
    else { return false }
    executions.append(
      Raw(start: start, duration: duration) { start, duration in
        Recording.Execution(
          statement: Int(values[0]) - 1, start: start, duration: duration, rows: Int(bitPattern: values[1]),
          thread: Int(bitPattern: values[2]))
      })
    return true
  }

  private mutating func readMemory(_ reader: inout PieceReader) -> Bool {
    guard let values = reader.numbers(5)?.map(RecordingFormat.unzigzag) else { return false }
    let memory = CoreDataInstruments.Memory(
      objects: values[0], faults: values[1] < 0 ? nil : values[1], rowCacheBytes: values[2], residentBytes: values[3],
      peakResidentBytes: values[4])
    // A sample is at the beginning of a piece, whose clock is the sample's time.
    lastTicks = max(lastTicks, lastClock.ticks)
    self.memory.append(
      Raw(start: lastClock.ticks, duration: 0) { time, _ in Recording.MemorySample(time: time, memory: memory) })
    return true
  }

  private mutating func readCounters(_ reader: inout PieceReader) -> Bool {
    guard let values = reader.numbers(5)?.map({ Int(bitPattern: $0) }) else { return false }
    let counters = CoreDataInstruments.Counters(
      statements: values[0], selects: values[1], rowsRead: values[2], faultsFired: values[3], cacheHits: values[4])
    self.counters.append(
      Raw(start: lastClock.ticks, duration: 0) { time, _ in Recording.CounterSample(time: time, counters: counters) })
    return true
  }

  // MARK: The result

  func result() -> Recording {
    var result = recording
    let first = firstClock ?? (0, 0)
    // The duration of a tick follows from the clocks of the first and the last piece.
    let elapsed = Double(lastClock.time &- first.time) / 1e9
    let rate = lastClock.ticks > first.ticks && elapsed > 0 ? elapsed / Double(lastClock.ticks &- first.ticks) : 1e-9
    func seconds(_ ticks: UInt64) -> Double {
      Double(Int64(bitPattern: ticks &- first.ticks)) * rate
    }
    func made<Event>(_ raw: [Raw<Event>]) -> [Event] {
      raw.map { $0.make(seconds($0.start), Double($0.duration) * rate) }
    }
    result.started = Date(timeIntervalSince1970: Double(first.time) / 1e9)
    result.duration = max(seconds(lastTicks), 0)
    var activities = made(self.activities)
    for (index, number) in numbers.enumerated() where number != 0 { activities[index].touches = touches[number] }
    result.activities = activities.enumerated().sorted { ($0.1.start, $0.0) < ($1.1.start, $1.0) }.map(\.1)
    result.executions = made(executions).enumerated().sorted { ($0.1.start, $0.0) < ($1.1.start, $1.0) }.map(\.1)
    result.memory = made(memory)
    result.counters = made(counters)
    result.stacks = frames()
    return result
  }

  /// Addresses whose functions are not known. A program adds the names when it ends; a program that was killed could not.
  private var unknown: Set<UInt> { Set(stacks.joined()).subtracting(symbols.keys).subtracting(sought) }

  /// Looks for the missing names in the program's files, once for each address.
  mutating func findSymbols() {
    let unknown = self.unknown
    guard !unknown.isEmpty else { return }
    symbols.merge(LoadedImage.symbols(of: unknown, in: images), uniquingKeysWith: { first, _ in first })
    sought.formUnion(unknown)
  }

  private func frames() -> [[Recording.Frame]] {
    var symbols = symbols
    let unknown = self.unknown
    if !unknown.isEmpty {
      symbols.merge(LoadedImage.symbols(of: unknown, in: images), uniquingKeysWith: { first, _ in first })
    }
    var known: [UInt: Recording.Frame] = [:]
    for address in Set(stacks.joined()) {
      let symbol = symbols[address]
      let image = images.first { $0.start <= address && address < $0.end }
      known[address] = Recording.Frame(
        address: address, function: symbol.map(Self.demangled), symbol: symbol,
        image: image.map { URL(fileURLWithPath: $0.path).lastPathComponent })
    }
    return stacks.map { $0.compactMap { known[$0] } }
  }

  private static func demangled(_ symbol: String) -> String {
    guard let text = runtime_demangle(symbol, UInt(symbol.utf8.count)) else { return symbol }
    defer { free(text) }
    return String(cString: text)
  }
}

/// Reads the bytes of a piece from front to back; its methods return nil when the bytes end.
private struct PieceReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  mutating func event() -> UInt8? {
    guard place < bytes.endIndex else { return nil }
    place += 1
    return bytes[place - 1]
  }

  mutating func number() -> UInt? {
    var result: UInt = 0, shift: UInt = 0
    while let byte = event() {
      guard shift < 64 else { return nil }
      result |= UInt(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return result }
      shift += 7
    }
    return nil
  }

  mutating func int() -> Int? { number().map { Int(bitPattern: $0) } }

  mutating func numbers(_ count: Int) -> [UInt]? {
    var result: [UInt] = []
    for _ in 0..<count {
      guard let number = number() else { return nil }
      result.append(number)
    }
    return result
  }

  mutating func addresses() -> [UInt]? {
    guard let count = number(), count <= bytes.count, let differences = numbers(Int(count)) else { return nil }
    var last: UInt = 0
    return differences.map { difference in
      last = last &+ UInt(bitPattern: RecordingFormat.unzigzag(difference))
      return last
    }
  }

  mutating func text() -> String? {
    guard let count = number(), count <= bytes.endIndex - place else { return nil }
    defer { place += Int(count) }
    return String(decoding: bytes[place..<place + Int(count)], as: UTF8.self)
  }
}
