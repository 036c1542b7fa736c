#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Reads the rows of a batch insert, and puts them into the form of the server. The first ones wait: of few rows an INSERT is
  /// made, of many a COPY, which is faster but takes round trips of its own.
  final class BatchRowReader {
    /// From so many rows on a COPY is made, and from so many bytes.
    private static let fewRows = 200, fewBytes = 1 << 20

    let rows: BatchRows
    let columns: BatchColumns
    /// Whether the rows go to a private table first, each with its number.
    let isStaged: Bool
    /// How many rows were handed on.
    private(set) var count = 0
    private(set) var isAtEnd = false
    /// For each row the number of its set of given attributes; empty where that does not matter.
    private(set) var givenBy: ContiguousArray<Int32> = []
    private(set) var givenSets: [Set<Int>] = []
    private var knownSets: [Set<Int>: Int32] = [:]
    private let notesGiven: Bool
    private let store: ServerStore
    private let written: ContiguousArray<BatchColumns.Column>
    /// For each of `written` the slot's index, or -1 for what a row does not give: a column of a lot needs no more, and a copy of
    /// a `Column` is counted.
    private let sources: ContiguousArray<(index: Int, type: SQLColumnType)>
    private let givenSlots: [Int]
    /// The rows that wait, a row's values in the order of `written`.
    private var first: ContiguousArray<ContiguousArray<StoredValue>> = []
    private var next = 0
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
    }

    /// Reads the first rows.
    /// - Returns: whether these are all.
    func readFirst() throws -> Bool {
      var bytes = 0
      while first.count < Self.fewRows, bytes < Self.fewBytes {
        guard try read() else { return true }
        let row = ContiguousArray(written.lazy.map { self.columns.value($0, self.rows) })
        for value in row {
          switch value {
          case .string(let text):
            if text.utf8.contains(0) { throw columns.containsNUL(rows, store) }
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

    /// The columns before those of the rows, as `row(_:)` writes them.
    var fixedTypes: [SQLColumnType] { isStaged ? [.integer64, .key] : [.key, .entityNumber, .version] }
    var types: [SQLColumnType] { fixedTypes + written.map(\.type) }

    /// The rows that have been read, a column at a time.
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

    /// Adds rows to a lot, until that is large, there are no keys left, or no rows.
    func fill(_ lot: inout [UInt8], size: Int, _ nextKey: () -> Int64?, hasKeys: () -> Bool) throws {
      values.bytes.removeLast(values.bytes.count)
      defer { values.bytes.withUnsafeBytes { lot.append(contentsOf: $0) } }
      while values.bytes.count < size, hasKeys() {
        if next < first.count {
          begin(nextKey() ?? 0)
          for (place, column) in written.enumerated() { values.append(first[next][place], as: column.type) }
          next += 1
          if next == first.count { (first, next) = ([], 0) }
          continue
        }
        guard !isAtEnd, try read() else { return }
        begin(nextKey() ?? 0)
        for place in sources.indices {
          let source = sources[place]
          if source.index >= 0 {
            values.append(rows.values[source.index], as: source.type)
          } else {
            values.append(columns.value(written[place], rows), as: source.type)
          }
        }
        switch values.problem {
        case nil: break
        case .containsNUL?: throw columns.containsNUL(rows, store)
        case let problem?: throw problem
        }
      }
    }

    /// Whether all rows were handed on.
    var isDone: Bool { isAtEnd && first.isEmpty }

    private func begin(_ key: Int64) {
      count += 1
      values.beginRow(columns: fixedTypes.count + written.count)
      if isStaged {
        values.append(Int64(count))
        values.append(key)
      } else {
        values.append(key)
        values.append(Int32(columns.entity.number))
        values.append(Int64(1))
      }
    }
  }

  extension ServerValues {
    /// A row of a COPY: the number of its columns; the values that follow have the form that elements of arrays have.
    mutating func beginRow(columns: Int) {
      array.isOpen = true
      bytes.append(Int16(truncatingIfNeeded: columns))
    }
  }
#endif
