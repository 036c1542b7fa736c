/// The statement that fills the table of a relationship with pairs of the old version.
package struct PairInsertion {
  private let pairs: RelationshipPairs
  private let toMany: SQLToMany
  private let versions: StoreVersions
  private let owner: KeyTranslation, member: KeyTranslation

  /// - Parameter entity: the new entity that declares the relationship.
  package init(_ pairs: RelationshipPairs, _ toMany: SQLToMany, _ entity: SQLEntity, _ versions: StoreVersions) {
    (self.pairs, self.toMany, self.versions) = (pairs, toMany, versions)
    owner = KeyTranslation(pairs.ownerEntity, to: entity, in: versions)
    member = KeyTranslation(pairs.memberEntity, to: versions.new.destination(of: toMany), in: versions)
  }

  /// Whether the keys of all pairs stay the same.
  package var keepsKeys: Bool { owner.keepsKeys && member.keepsKeys }

  /// - Parameter name: the name of the table to insert into, which may differ from the final name.
  package func text(into name: String, _ table: SQLJoinTable) -> String {
    let ownerKey = owner.key(pairs.value(pairs.owner), entity: pairs.ownerNumber.map(pairs.value))
    let memberKey = member.key(pairs.value(pairs.member), entity: pairs.memberNumber.map(pairs.value))
    var columns = [table.sourceColumn, table.destinationColumn]
    var values = [ownerKey, memberKey]
    if case .join(_, _, _, let order, let inverseOrder) = toMany.storage {
      // Members without an order in the old version are ordered by their keys. Their places are 1024 apart, as in other
      // files.
      func place(_ known: String?, among owner: String, _ member: String) -> String {
        known.map(pairs.value)
          ?? "(ROW_NUMBER() OVER (PARTITION BY \(pairs.value(owner)) ORDER BY \(pairs.value(member))) + 1) * 1024"
      }
      if let order {
        columns.append(order)
        values.append(place(pairs.order, among: pairs.owner, pairs.member))
      }
      if let inverseOrder {
        columns.append(inverseOrder)
        values.append(place(pairs.inverseOrder, among: pairs.member, pairs.owner))
      }
    }
    var conditions = [pairs.condition].compactMap { $0 }
    if owner.needsEntity { conditions.append("\(ownerKey) IS NOT NULL") }
    if member.needsEntity { conditions.append("\(memberKey) IS NOT NULL") }
    let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    let names = columns.map(versions.quoted).joined(separator: ", ")
    return "INSERT INTO \(versions.quoted(name)) (\(names)) SELECT \(values.joined(separator: ", ")) "
      + "FROM \(versions.quoted(pairs.table)) p\(filter)"
  }
}
