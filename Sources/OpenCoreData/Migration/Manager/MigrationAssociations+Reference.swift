import Foundation

extension MigrationAssociations {
  /// A saved object, by the numbers of its entity in the model. 16 bytes.
  struct Reference: Hashable {
    let key: Int64
    private let root: Int32
    let entity: Int32

    init(_ object: NSManagedObject) {
      key = object.key
      root = Int32(truncatingIfNeeded: object.layout.rootNumber)
      entity = Int32(truncatingIfNeeded: object.layout.number)
    }

    /// The entity may be known less exactly than the object's own.
    static func == (first: Reference, second: Reference) -> Bool {
      first.key == second.key && first.root == second.root
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(key)
      hasher.combine(root)
    }
  }

  /// In most cases there is one reference. An array would need an allocation for each object.
  enum References {
    case one(Reference)
    case many([Reference])

    var all: [Reference] {
      switch self {
      case .one(let reference): [reference]
      case .many(let references): references
      }
    }

    func adding(_ reference: Reference) -> References {
      all.contains(reference) ? self : .many(all + [reference])
    }
  }
}
