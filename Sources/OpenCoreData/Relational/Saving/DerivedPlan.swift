/// How a store keeps the derived attributes of one entity's rows up to date when it writes the rows.
package struct DerivedPlan {
  /// Whether rows must be read again after they were written, because database functions and triggers may have set
  /// values in them.
  package let isNeeded: Bool
  /// The attributes that the framework computes from the written values. Triggers compute the other ones.
  package let computed: ContiguousArray<ComputedColumn>

  package init(_ entity: SQLEntity, _ derivations: SQLDerivations) {
    isNeeded = entity.entity.properties.contains { $0 is NSDerivedAttributeDescription }
    var computed: ContiguousArray<ComputedColumn> = []
    for derivation in isNeeded ? derivations.of(entity) : [] {
      if let column = ComputedColumn(derivation, entity) { computed.append(column) }
    }
    self.computed = computed
  }

  /// The derived columns that an update of the given columns has to write.
  package func computed(from changed: [Int]) -> ContiguousArray<ComputedColumn> {
    computed.isEmpty ? computed : computed.filter { $0.source.map { changed.contains($0.position) } ?? true }
  }
}

/// A derived attribute that a store computes from its own row.
package struct ComputedColumn {
  package let slot: PropertySlot
  /// The index of the column among the entity's columns.
  package let position: Int
  /// The number of values that an insert binds for the columns before this one.
  package let offset: Int32
  /// The column that the value is computed from; nil if the value is the time of the save.
  package let source: (slot: PropertySlot, position: Int, function: RowFunction)?

  fileprivate init?(_ derivation: SQLDerivation, _ entity: SQLEntity) {
    let layout = entity.entity.layout
    guard let position = entity.positions[derivation.attribute.keyPath],
      let slot = layout.slot(named: derivation.attribute.keyPath)
    else { return nil }
    self.slot = slot
    self.position = position
    offset = Int32(entity.columns[..<position].reduce(0) { $0 + $1.names.count })
    switch derivation.kind {
    case .now: source = nil
    case .row(let function, let attribute):
      guard let position = entity.positions[attribute.keyPath], let slot = layout.slot(named: attribute.keyPath)
      else { return nil }
      source = (slot, position, function)
    case .path, .count, .sum: return nil
    }
  }

  /// The value that goes into a row.
  package func value(for row: Snapshot, now: Double) -> StoredValue {
    guard let source else { return .double(now) }
    return source.function.value(of: .read(source.slot, from: row))
  }
}
