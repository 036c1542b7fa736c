#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // To-many relationships: join tables are copied; owners and orders in the members' rows are written afterwards, by
  // UPDATE.
  extension ObjectTransfer {
    func copyMembers(_ keys: ContiguousArray<Int64>, _ layout: EntityLayout) throws {
      if keys.isEmpty { return }
      let entity = try store.entity(layout.entity)
      for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
        guard let toMany = entity.toManys[slot.name], let destination = slot.destination?.layout else { continue }
        let root = destination.rootNumber
        switch toMany.storage {
        case .foreignKey(let table, let column, _, let order):
          let owner = slot.inverse == nil ? column : nil
          let order = slot.relationship.keepsOrder ? order : nil
          if owner != nil || order != nil { try write(keys, slot, layout, root, table, owner: owner, order: order) }
        case .join(let table, let source, let member, let order, let inverseOrder):
          if copiesPairs(slot, source, table, order, inverseOrder) {
            try copyPairs(keys, slot, layout, root, (table, source, member, order))
          }
        }
      }
      // These are arranged after all pairs are copied.
      for slot in layout.slots where slot.kind == .toMany && !slot.isTransient {
        guard let toMany = entity.toManys[slot.name], let destination = slot.destination?.layout,
          case .join(let table, let source, let member, let order?, let inverseOrder) = toMany.storage,
          !copiesPairs(slot, source, table, order, inverseOrder)
        else { continue }
        arrangedLater.append { [self] in
          try arrange(keys, slot, layout, destination.rootNumber, (table, source, member, order))
        }
      }
    }

    /// Whether the pairs are copied from this end of a relationship: that is the ordered end or, if both or neither are
    /// ordered, the end whose column is the table's source.
    private func copiesPairs(
      _ slot: PropertySlot, _ source: String, _ table: String, _ order: String?, _ inverseOrder: String?
    ) -> Bool {
      if slot.inverse == nil || slot.relationship.inverseRelationship === slot.relationship { return true }
      if (order == nil) != (inverseOrder == nil) { return order != nil }
      return store.schema.tables.lazy.flatMap(\.joinTables).first { $0.name == table }?.sourceColumn == source
    }

    private func members(
      _ owners: ContiguousArray<Int64>, _ slot: PropertySlot, _ layout: EntityLayout, _ root: Int
    ) throws -> [(owner: Int64, member: Int64, place: Int64)] {
      let found = try reader.members(of: owners, slot, layout)
      var result: [(owner: Int64, member: Int64, place: Int64)] = []
      for owner in owners {
        var place: Int64?
        for member in found[owner]?.keys ?? [] where isThere(member, root) {
          let next = SortKeys.next(after: place)
          place = next
          result.append((owner, member, next))
        }
      }
      return result
    }

    private func copyPairs(
      _ keys: ContiguousArray<Int64>, _ slot: PropertySlot, _ layout: EntityLayout, _ root: Int,
      _ place: (table: String, source: String, member: String, order: String?)
    ) throws {
      let names = [place.source, place.member] + [place.order].compactMap { $0 }
      var rows = CopyRows(), start = 0
      try connection.insertRows(
        into: "\(quoted(place.table))(\(names.map(quoted).joined(separator: ", ")))",
        types: [.key, .key] + (place.order == nil ? [] : [.integer64]), store.copySupport
      ) { buffer in
        let batch = ContiguousArray(keys[start..<min(start + Self.batchSize, keys.count)])
        for pair in try members(batch, slot, layout, root) {
          rows.begin(columns: names.count)
          rows.values.append(pair.owner)
          rows.values.append(pair.member)
          if place.order != nil { rows.values.append(pair.place) }
        }
        try rows.move(to: &buffer)
        start += batch.count
        return start < keys.count
      }
    }

    private func write(
      _ keys: ContiguousArray<Int64>, _ slot: PropertySlot, _ layout: EntityLayout, _ root: Int, _ table: String,
      owner: String?, order: String?
    ) throws {
      let sets = [owner.map { "\(quoted($0)) = v.o" }, order.map { "\(quoted($0)) = v.p" }].compactMap { $0 }
      try update(
        keys, slot, layout, root,
        "UPDATE \(quoted(table)) t SET \(sets.joined(separator: ", ")) FROM unnest($1, $2, $3) AS v(o, m, p) "
          + "WHERE t.\(quoted(store.schema.dialect.columns.key)) = v.m")
    }

    private func arrange(
      _ keys: ContiguousArray<Int64>, _ slot: PropertySlot, _ layout: EntityLayout, _ root: Int,
      _ place: (table: String, source: String, member: String, order: String)
    ) throws {
      try update(
        keys, slot, layout, root,
        "UPDATE \(quoted(place.table)) t SET \(quoted(place.order)) = v.p FROM unnest($1, $2, $3) AS v(o, m, p) "
          + "WHERE t.\(quoted(place.source)) = v.o AND t.\(quoted(place.member)) = v.m")
    }

    private func update(
      _ keys: ContiguousArray<Int64>, _ slot: PropertySlot, _ layout: EntityLayout, _ root: Int, _ text: String
    ) throws {
      let type = ServerType.array(of: ServerType.int64)
      let statement = ServerStatement(text, types: [type, type, type], isPrepared: false)
      try StoreObjectReader.inBatches(of: Self.batchSize, keys, nil) { batch in
        let members = try members(batch, slot, layout, root)
        if members.isEmpty { return }
        var values = ServerValues(), flight = Flight()
        values.append(array: members.lazy.map(\.owner))
        values.append(array: members.lazy.map(\.member))
        values.append(array: members.lazy.map(\.place))
        flight.add(statement, values)
        try connection.run(flight)
      }
    }
  }

  extension ServerStore {
    /// Takes over the objects of a store of the same coordinator. Returns false if the source has no coordinator.
    func transfer(from source: NSPersistentStore, _ progress: Progress?) throws -> Bool {
      guard let coordinator = source.persistentStoreCoordinator else { return false }
      do {
        let reader = StoreObjectReader(source, coordinator)
        if let connection = creation.withLock({ $0 }) {
          try ObjectTransfer(reader, to: self, on: connection, progress).run()
        } else {
          try withWriter(retrying: false) { try ObjectTransfer(reader, to: self, on: $0, progress).run() }
        }
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: true)
      }
      return true
    }

    /// Runs `body` while no program can save to the store.
    func withSavesLocked<Result>(_ body: () throws -> Result) throws -> Result {
      if isReadOnly { return try body() }
      do {
        return try StoreLock.retrying(timeout: serverOptions.timeout) { timeout in
          let connection = try OpenedServer.connect(serverPlace, serverOptions)
          defer { connection.close() }
          try StoreLock(connection, serverPlace).take(timeout: timeout)
          return try body()
        }
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: true)
      }
    }
  }
#endif
