import Foundation

extension MigrationAssociations {
  /// A reference to a saved object, by its key and the numbers of its entities in the model. It has 16 bytes.
  struct Reference: Hashable {
    let key: Int64
    private let root: Int32
    let entity: Int32

    init(_ object: NSManagedObject) {
      key = object.key
      root = Int32(truncatingIfNeeded: object.layout.rootNumber)
      entity = Int32(truncatingIfNeeded: object.layout.number)
    }

    /// Compares the key and the root entity only, because a reference may name another entity of the hierarchy than the
    /// object's own.
    static func == (first: Reference, second: Reference) -> Bool {
      first.key == second.key && first.root == second.root
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(key)
      hasher.combine(root)
    }
  }

  /// References, usually one: an array would need an allocation for each object.
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
