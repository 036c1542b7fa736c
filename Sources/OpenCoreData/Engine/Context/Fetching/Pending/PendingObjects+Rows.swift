// Rows that have changed in the store since changed objects have read them.
extension PendingObjects {
  /// Compares the rows that the updated objects have read with those of the state that a transaction sees. The fetch's
  /// entity is in this store alone.
  /// - Returns: whether no object was found whose row has changed.
  func verify(_ target: FetchTarget, _ store: NSPersistentStore, _ transaction: ReadTransaction) -> Bool {
    var areSame = true
    for entity in entities.indices
    where target.includes(entities[entity].layout) && !entities[entity].updated.isEmpty {
      if !verify(entity, store, transaction) { areSame = false }
    }
    return areSame
  }

  private func verify(_ entity: Int, _ store: NSPersistentStore, _ transaction: ReadTransaction) -> Bool {
    let moment = transaction.moment
    if moment == .max { return false }
    let wanted: ContiguousArray<Int32>
    if let verified = entities[entity].verified, verified == (ObjectIdentifier(store), moment) {
      if entities[entity].unverified.isEmpty { return true }
      wanted = entities[entity].unverified
    } else {
      entities[entity].outdated = []
      wanted = entities[entity].updated
    }
    entities[entity].unverified = []
    entities[entity].verified = (ObjectIdentifier(store), moment)
    var areSame = true
    let root = entities[entity].layout.rootNumber, commit = transaction.pinnedCommit
    let shard = store.rows.shard(root)
    for number in wanted {
      records[Int(number)].isUnverified = false
      guard records[Int(number)].role == .updated, let object = records[Int(number)].object else { continue }
      let row = shard.get(object.key, at: commit) ?? transaction.ownRow(object.key, root: root)
      let isSame = row != nil && row === object.snapshot && object.table?.store === store
      if !isSame {
        entities[entity].outdated.append(number)
        if !records[Int(number)].isOutdated { areSame = false }
      }
      records[Int(number)].isOutdated = !isSame
    }
    return areSame
  }
}
