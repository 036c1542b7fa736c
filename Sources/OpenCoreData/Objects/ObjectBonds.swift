/// What an object has to do with others. In one word, since there may be millions of objects: a fault has read no
/// relationships, and most of what has been read belongs to no company.
enum ObjectBonds {
  case none
  case company(FaultCompany)
  /// With the company, if there is one.
  case relations(RelationStates)
}

extension NSManagedObject {
  /// The relationships, as far as they have been read or changed.
  final var relations: RelationStates? {
    @inline(__always) get { if case .relations(let states) = bonds { states } else { nil } }
    set {
      let company = company
      newValue?.company = company
      bonds = newValue.map(ObjectBonds.relations) ?? company.map(ObjectBonds.company) ?? .none
    }
  }

  /// The objects that a fault was fetched with, and that are read together.
  final var company: FaultCompany? {
    @inline(__always) get {
      switch bonds {
      case .none: nil
      case .company(let company): company
      case .relations(let states): states.company
      }
    }
    set {
      if case .relations(let states) = bonds {
        states.company = newValue
      } else {
        bonds = newValue.map(ObjectBonds.company) ?? .none
      }
    }
  }
}
