#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Reads the rows of a batch insert, and converts them to the server's form. The first rows are kept: if there are only a
  /// few rows, they are written by an INSERT; otherwise by a COPY, which is faster for many rows but takes round trips of its
  /// own.
  final class BatchRowReader {
    /// A COPY is used from this number of rows on, or from this number of bytes on.
    private static let fewRows = 200, fewBytes = 1 << 20

    let rows: BatchRows
    let columns: BatchColumns
    /// Whether the rows are written to a private table first, each with its number.
    let isStaged: Bool
    /// The number of rows that have been handed over.
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private(set) var isAtEnd = false
    /// For each row the number of its set of given attributes. Empty if that number is not needed.
    private(set) var givenBy: ContiguousArray<Int32> = []
    private(set) var givenSets: [Set<Int>] = []
    private var knownSets: [Set<Int>: Int32] = [:]
    private let notesGiven: Bool
    private let store: ServerStore
    private let written: ContiguousArray<BatchColumns.Column>
    /// For each of `written` the slot's index, or -1 for a column that rows do not give. Copying a whole `Column` for each
    /// value would count references.
    private let sources: ContiguousArray<(index: Int, type: SQLColumnType)>
    private let givenSlots: [Int]
    /// The number of values of a row on the server.
    private let valueCount: Int
    private let entityNumber: Int32
    /// The first rows, which are kept: each row's values in the order of `written`.
    @exclusivity(unchecked) private var first: ContiguousArray<ContiguousArray<StoredValue>> = []
    @exclusivity(unchecked) private var next = 0
    @exclusivity(unchecked) private var values = ServerValues()

    init(_ rows: BatchRows, _ columns: BatchColumns, isStaged: Bool, notesGiven: Bool, _ store: ServerStore) {
      (self.rows, self.columns, self.isStaged, self.store) = (rows, columns, isStaged, store)
      self.notesGiven = notesGiven
      written = isStaged ? columns.all : columns.inserted
      sources = ContiguousArray(
        written.lazy.map { column in
          if case .attribute = column.content { (column.slot.index, column.type) } else { (-1, column.type) }
        })
      givenSlots = notesGiven ? columns.givenSlots : []
      valueCount = (isStaged ? 2 : 3) + written.count
      entityNumber = Int32(columns.entity.number)
    }

    /// The value of one of `written` in the row that was read last.
    @inline(__always)
    private func value(_ place: Int) -> StoredValue {
      let index = sources[place].index
      return index >= 0 ? rows.values[index] : columns.value(written[place], rows)
    }

    /// Reads the first rows.
    /// - Returns: whether these are all rows.
    func readFirst() throws -> Bool {
      var bytes = 0
      while first.count < Self.fewRows, bytes < Self.fewBytes {
        guard try read() else { return true }
        let row = ContiguousArray(sources.indices.lazy.map { self.value($0) })
        for value in row {
          switch value {
          case .string(let text):
            if text.containsNUL { throw columns.containsNUL(rows, store) }
            bytes += text.utf8.count
          case .data(let data): bytes += data.count
          default: bytes += 8
          }
        }
        first.append(row)
      }
      return false
    }

    var firstCount: Int { first.count }

    private func read() throws -> Bool {
      guard try rows.next() else {
        isAtEnd = true
        return false
      }
      if notesGiven {
        let given = Set(givenSlots.lazy.filter { self.rows.isGiven($0) })
        let number = knownSets[given] ?? Int32(givenSets.count)
        if number == givenSets.count {
          knownSets[given] = number
          givenSets.append(given)
        }
        givenBy.append(number)
      }
      return true
    }

    // MARK: As arrays

    /// The columns before those of the rows, in the order in which `row(_:)` writes them.
    var fixedTypes: [SQLColumnType] { isStaged ? [.integer64, .key] : [.key, .entityNumber, .version] }
    var types: [SQLColumnType] { fixedTypes + written.map(\.type) }

    /// Returns the rows that have been read, as one array for each column.
    func arrays(_ keys: ContiguousArray<Int64>) -> ServerValues {
      var values = ServerValues()
      count = first.count
      if isStaged { values.append(array: 1...Int64(max(count, 1))) }
      values.append(array: keys)
      if !isStaged {
        values.beginArray(of: ServerType.int32, reserving: count)
        for _ in first { values.append(Int32(columns.entity.number)) }
        values.endArray()
        values.append(array: repeatElement(Int64(1), count: count))
      }
      for (place, column) in written.enumerated() {
        values.beginArray(of: ServerType.of(column.type), reserving: count)
        for row in first { values.append(row[place], as: column.type) }
        values.endArray()
      }
      return values
    }

    // MARK: As lots of a COPY

    /// The number of bytes of the rows that were collected for a lot.
    var gatheredBytes: Int { values.bytes.count }

    /// Removes and returns the rows that were collected.
    func takeLot() -> [UInt8] {
      let size = values.bytes.count
      defer { values.bytes.removeLast(size) }
      return values.bytes.withUnsafeBytes { bytes in
        [UInt8](unsafeUninitializedCapacity: size) { lot, initialized in
          UnsafeMutableRawBufferPointer(lot).copyMemory(from: bytes)
          initialized = size
        }
      }
    }

    /// Collects rows for a lot, until the lot is large enough, or there are no more keys or rows.
    /// - Parameter keys: the keys for the rows. The keys that were used are removed.
    func gather(size: Int, _ keys: inout Range<Int64>) throws {
      var key = keys.lowerBound
      defer { keys = key..<keys.upperBound }
      while values.bytes.count < size, key < keys.upperBound {
        if next < first.count {
          begin(key)
          key += 1
          for place in sources.indices { values.append(first[next][place], as: sources[place].type) }
          next += 1
          if next == first.count { (first, next) = ([], 0) }
          continue
        }
        guard !isAtEnd, try read() else { return }
        begin(key)
        key += 1
        for place in sources.indices { values.append(value(place), as: sources[place].type) }
        switch values.problem {
        case nil: break
        case .containsNUL?: throw columns.containsNUL(rows, store)
        case let problem?: throw problem
        }
      }
    }

    /// Whether all rows were handed over.
    var isDone: Bool { isAtEnd && first.isEmpty }

    private func begin(_ key: Int64) {
      count += 1
      values.beginRow(columns: valueCount)
      if isStaged {
        values.append(Int64(count))
        values.append(key)
      } else {
        values.append(key)
        values.append(entityNumber)
        values.append(Int64(1))
      }
    }
  }

  extension ServerValues {
    /// Begins a row of a COPY with the number of its columns. The values that follow have the same form as elements of
    /// arrays.
    mutating func beginRow(columns: Int) {
      array.isOpen = true
      bytes.append(Int16(truncatingIfNeeded: columns))
    }
  }
#endif
