#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The columns that a batch insert writes, and the sources of their values. Relationships stay NULL, because a batch
  /// cannot set them.
  struct BatchColumns {
    struct Column {
      let slot: PropertySlot
      let name: String
      let type: SQLColumnType
      let content: Content
      /// The subentities whose rows have the column, if rows of the inserted entity do not have it; empty for other
      /// columns.
      var ofSubentities: [Int] = []
    }

    enum Content {
      /// The value that the row gives, or the attribute's default value.
      case attribute
      /// The slot and position of the source, and the function; nil for the time of the request.
      case computed((slot: PropertySlot, position: Int, function: RowFunction)?)
      /// The same value for all rows: a new row has no members to count.
      case constant(StoredValue)
    }

    let entity: SQLEntity
    let all: ContiguousArray<Column>
    /// The time for attributes that derive from it.
    let now = Date().timeIntervalSinceReferenceDate

    /// - Parameter updates: whether the values may also go to existing rows, including rows of subentities, which may
    ///   derive more attributes.
    init(_ entity: SQLEntity, of store: ServerStore, updates: Bool) {
      self.entity = entity
      let layout = entity.entity.layout, plan = store.writePlans[entity.number - 1]
      let computed = store.derivedPlans[entity.number - 1].computed
      let counted = store.derivations.of(entity).filter { $0.kind.members != nil }
      var all: ContiguousArray<Column> = []
      for (position, column) in entity.columns.enumerated() {
        guard case .attribute(let attribute) = column, let slot = layout.slot(named: attribute.keyPath) else {
          continue
        }
        let content: Content
        if plan[position].slot != nil {
          content = .attribute
        } else if let own = computed.first(where: { $0.position == position }) {
          content = .computed(own.source)
        } else if counted.contains(where: { $0.attribute.keyPath == attribute.keyPath }) {
          content = .constant(.int(0))
        } else {
          continue
        }
        all.append(Column(slot: slot, name: attribute.columnName, type: attribute.type, content: content))
      }
      for number in updates ? entity.numbers : [] where number != entity.number {
        guard let subentity = store.schema.entity(number: number) else { continue }
        for derived in store.derivedPlans[number - 1].computed {
          let (name, type) = subentity.columns[derived.position].typedNames[0]
          if let known = all.firstIndex(where: { $0.name == name }) {
            if !all[known].ofSubentities.isEmpty { all[known].ofSubentities.append(number) }
          } else if derived.source.map({ source in all.contains { $0.slot.index == source.slot.index } }) ?? true {
            all.append(
              Column(
                slot: derived.slot, name: name, type: type, content: .computed(derived.source), ofSubentities: [number])
            )
          }
        }
      }
      self.all = all
    }

    /// The columns of new rows.
    var inserted: ContiguousArray<Column> { all.filter(\.ofSubentities.isEmpty) }

    /// Returns the value of a column in the row that was read last.
    @inline(__always)
    func value(_ column: Column, _ row: BatchRows) -> StoredValue {
      switch column.content {
      case .attribute: row.values[column.slot.index]
      case .constant(let value): value
      case .computed(nil): .double(now)
      case .computed(let source?): source.function.value(of: row.values[source.slot.index])
      }
    }

    /// Returns the columns that an insert writes into an existing row with the same unique values: those of the given
    /// attributes, and of attributes that derive from them.
    /// - Parameter given: the slots' indexes; nil for all.
    func updated(_ given: Set<Int>?) -> ContiguousArray<(place: Int, column: Column)> {
      ContiguousArray(
        all.enumerated().lazy.filter { _, column in
          switch column.content {
          case .attribute: given?.contains(column.slot.index) ?? true
          case .constant: false
          case .computed(nil): true
          case .computed(let source?): given?.contains(source.slot.index) ?? true
          }
        }.map { ($0.offset, $0.element) })
    }

    /// The slots of the attributes for which rows may give values.
    var givenSlots: [Int] {
      all.compactMap { column in
        if case .attribute = column.content { column.slot.index } else { nil }
      }
    }

    /// Returns the error 134030 for a string with U+0000, with the key and the number of the row.
    func containsNUL(_ row: BatchRows, _ store: ServerStore) -> NSError {
      let name =
        all.first { column in
          if case .string(let text) = value(column, row) { text.containsNUL } else { false }
        }?.slot.name ?? ""
      return row.error(
        NSPersistentStoreSaveError, name,
        "\(name) of \(row.layout.name) has the character U+0000, which no text of a PostgreSQL server can have. Nothing was "
          + "inserted.")
    }
  }
#endif
