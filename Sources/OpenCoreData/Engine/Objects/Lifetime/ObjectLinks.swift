/// An object's relationships and its fault batch, in one word, since there may be millions of objects: a fault has read
/// no relationships, and most objects that have read some belong to no fault batch.
enum ObjectLinks {
  case none
  case faultBatch(FaultBatch)
  /// The relationships, which also hold the fault batch if there is one.
  case relations(RelationStates)
}

extension NSManagedObject {
  /// The relationships, as far as they have been read or changed.
  final var relations: RelationStates? {
    @inline(__always) get { if case .relations(let states) = links { states } else { nil } }
    set {
      let faultBatch = faultBatch
      newValue?.faultBatch = faultBatch
      links = newValue.map(ObjectLinks.relations) ?? faultBatch.map(ObjectLinks.faultBatch) ?? .none
    }
  }

  /// The objects that a fault was fetched with, and that are read together.
  final var faultBatch: FaultBatch? {
    @inline(__always) get {
      switch links {
      case .none: nil
      case .faultBatch(let faultBatch): faultBatch
      case .relations(let states): states.faultBatch
      }
    }
    set {
      if case .relations(let states) = links {
        states.faultBatch = newValue
      } else {
        links = newValue.map(ObjectLinks.faultBatch) ?? .none
      }
    }
  }
}
