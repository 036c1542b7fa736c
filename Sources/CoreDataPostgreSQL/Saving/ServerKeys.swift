#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The keys that a store has taken from the server and not used yet.
  ///
  /// A sequence counts in blocks, so that one number of it stands for many keys. New objects need keys before they are
  /// written, because other objects refer to them. Keys that are left when the store is closed are lost.
  final class ServerKeys: @unchecked Sendable {  // everything belongs to `lock`
    /// The number of keys that a number of a sequence stands for. It belongs to the format, since all programs must use the
    /// same.
    static let block: Int64 = 256

    private let lock = NSLock()
    private var kept: [Int: [Range<Int64>]] = [:]
    private var process = ForkedProcess.number

    /// The unused keys by root entity. A child of `fork` has none: those that it finds are its parent's. The lock is held.
    private var left: [Int: [Range<Int64>]] {
      get { process == ForkedProcess.number ? kept : [:] }
      _modify {
        if process != ForkedProcess.number {
          kept = [:]
          process = ForkedProcess.number
        }
        yield &kept
      }
    }

    /// The number of unused keys of a root entity.
    func count(of root: Int) -> Int64 { lock.withLock { (left[root] ?? []).reduce(0) { $0 + Int64($1.count) } } }

    /// Adds the block that a number of the sequence stands for.
    func add(_ number: Int64, of root: Int) {
      lock.withLock { left[root, default: []].append(number..<number + Self.block) }
    }

    /// Takes keys. Returns nil, and takes none, if there are too few.
    func take(_ count: Int, of root: Int) -> ContiguousArray<Int64>? {
      lock.withLock {
        // In most cases the first range is enough. It is changed in place, since a copy of the ranges would be made for each
        // save otherwise.
        if let place = left.index(forKey: root), let first = left.values[place].first, first.count > count {
          let end = first.lowerBound + Int64(count)
          left.values[place][0] = end..<first.upperBound
          return ContiguousArray(unsafeUninitializedCapacity: count) { keys, initialized in
            for index in 0..<count { keys.initializeElement(at: index, to: first.lowerBound + Int64(index)) }
            initialized = count
          }
        }
        var ranges = left[root] ?? []
        guard ranges.reduce(0, { $0 + $1.count }) >= count else { return nil }
        var keys: ContiguousArray<Int64> = []
        keys.reserveCapacity(count)
        while keys.count < count, let first = ranges.first {
          let end = min(first.upperBound, first.lowerBound + Int64(count - keys.count))
          var key = first.lowerBound
          while key < end {
            keys.append(key)
            key += 1
          }
          if end == first.upperBound { ranges.removeFirst() } else { ranges[0] = end..<first.upperBound }
        }
        left[root] = ranges
        return keys
      }
    }
  }

  extension ServerKeys {
    /// Takes consecutive keys, as many as there are; returns nil if there are none.
    func takeRange(of root: Int) -> Range<Int64>? {
      lock.withLock {
        guard var ranges = left[root], !ranges.isEmpty else { return nil }
        let range = ranges.removeLast()
        left[root] = ranges
        return range
      }
    }

    /// Takes back keys that were not used.
    func give(_ range: Range<Int64>, of root: Int) {
      if range.isEmpty { return }
      lock.withLock { left[root, default: []].append(range) }
    }
  }

  extension ServerStore {
    /// If fewer keys than this are left, a save takes a block for the next save.
    private static let lowReserve: Int64 = 64

    /// Returns that many keys of a root entity; asks the server for more if there are too few.
    func takeKeys(_ count: Int, of root: SQLEntity) throws -> ContiguousArray<Int64> {
      while true {
        if let keys = keys.take(count, of: root.number) { return keys }
        let missing = Int64(count) - keys.count(of: root.number)
        if missing <= 0 { continue }
        var flight = Flight()
        addNewKeys((missing + ServerKeys.block - 1) / ServerKeys.block, of: root, to: &flight)
        try withWriter { try $0.run(flight) }
      }
    }

    /// Adds the statement that takes blocks of keys.
    func addNewKeys(_ blocks: Int64, of root: SQLEntity, to flight: inout Flight) {
      let statement = statements.statement(.newKeys(root.number)) {
        ServerStatement(
          "SELECT nextval(\(ServerSchema.sequence(of: root, schema.dialect, asText: true))) FROM generate_series(1, $1)",
          types: [ServerType.int64])
      }
      var values = ServerValues()
      values.append(blocks)
      flight.add(statement, values) { [keys] result in
        for row in 0..<result.rowCount { keys.add(result.int64(row, 0), of: root.number) }
      }
    }

    /// Whether a save should take a block of keys for the next save.
    func isLow(_ root: SQLEntity) -> Bool { keys.count(of: root.number) < Self.lowReserve }

    /// The keys of new rows. Rows with permanent keys keep them.
    func assignKeys(to rows: ContiguousArray<Snapshot>) throws -> ContiguousArray<Int64> {
      guard let layout = rows.first?.layout else { return [] }
      // In most cases all rows are new and of one entity.
      var isPlain = true
      rows.forEachBorrowed { if $0.primaryKey > 0 || $0.layout !== layout { isPlain = false } }
      if isPlain { return try takeKeys(rows.count, of: entity(layout.entity).root) }
      return try assignKeys(ContiguousArray(rows.map { ($0.layout, $0.primaryKey) }))
    }

    /// The keys of new objects. Objects with permanent IDs keep their keys.
    func assignKeys(_ rows: ContiguousArray<(layout: EntityLayout, key: Int64)>) throws -> ContiguousArray<Int64> {
      var counts: [Int: Int] = [:], roots: [Int: SQLEntity] = [:]
      var numbers: ContiguousArray<Int> = []
      numbers.reserveCapacity(rows.count)
      for row in rows {
        let root = try entity(row.layout.entity).root
        numbers.append(root.number)
        if row.key > 0 { continue }
        counts[root.number, default: 0] += 1
        roots[root.number] = root
      }
      var taken: [Int: ContiguousArray<Int64>.Iterator] = [:]
      for (number, root) in roots { taken[number] = try takeKeys(counts[number] ?? 0, of: root).makeIterator() }
      return ContiguousArray(
        zip(rows, numbers).map { row, number in row.key > 0 ? row.key : taken[number]?.next() ?? row.key })
    }
  }
#endif
