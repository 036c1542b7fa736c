import Foundation
import OpenCocoaFoundation

/// A problem with the contents of a store's file.
struct StoreFileProblem: Error {
  let reason: String
  /// The place of the problem in the file; nil if it is not known.
  var place: Int?

  init(_ reason: String, at place: Int? = nil) {
    self.reason = reason
    self.place = place
  }
}

/// Makes nodes from the contents of a file, and checks that they can be objects of the model.
struct NodeLoader {
  /// The greatest number that an object in a file can have.
  private static let greatest: Int64 = 1 << 60

  private struct Reference {
    let node: NSAtomicStoreCacheNode
    let slot: PropertySlot
    let identifiers: [Int64]
    let place: Int?
  }

  private let store: AtomicFileStore
  private var nodes: [Int64: NSAtomicStoreCacheNode] = [:]
  private var references: [Reference] = []
  /// The greatest number of all objects that have been read.
  private(set) var last: Int64 = 0

  init(_ store: AtomicFileStore) { self.store = store }

  /// Adds a node for the object with this identifier; its values are set later.
  mutating func add(_ identifier: Int64, _ entity: NSEntityDescription, at place: Int?) throws -> NSAtomicStoreCacheNode
  {
    guard identifier > 0, identifier <= Self.greatest else {
      throw StoreFileProblem("\(identifier) is no object's number.", at: place)
    }
    if entity.isAbstract {
      throw StoreFileProblem("There is an object of the abstract entity \(entity.name ?? "").", at: place)
    }
    let node = NSAtomicStoreCacheNode(objectID: NSManagedObjectID(entity: entity, store: store, key: identifier))
    guard nodes.updateValue(node, forKey: identifier) == nil else {
      throw StoreFileProblem("There are two objects with the number \(identifier).", at: place)
    }
    last = max(last, identifier)
    return node
  }

  /// Notes the objects to which a relationship leads. The relationship is set when all objects have been read.
  mutating func refer(_ node: NSAtomicStoreCacheNode, _ slot: PropertySlot, _ identifiers: [Int64], at place: Int?)
    throws
  {
    if slot.kind == .toOne, identifiers.count > 1 {
      throw StoreFileProblem("The to-one relationship \(slot.name) leads to \(identifiers.count) objects.", at: place)
    }
    if !identifiers.isEmpty {
      references.append(Reference(node: node, slot: slot, identifiers: identifiers, place: place))
    }
  }

  /// Sets the relationships, and gives the nodes to the store.
  /// - Parameter checksInverses: whether it is an error if a relationship and its inverse do not agree.
  func finish(checksInverses: Bool) throws {
    for reference in references {
      let members = try reference.identifiers.map { identifier in
        guard let node = nodes[identifier] else {
          throw StoreFileProblem(
            "\(reference.slot.name) leads to the object \(identifier), which is not there.", at: reference.place)
        }
        guard let destination = reference.slot.destination, node.objectID.entity.layout.isKind(of: destination.layout)
        else {
          throw StoreFileProblem(
            "\(reference.slot.name) leads to the object \(identifier), a \(node.objectID.entity.name ?? "").",
            at: reference.place)
        }
        return node
      }
      reference.node.setRelationship(reference.slot, members)
    }
    if checksInverses { try references.forEach(checkInverse) }
    store.take(nodes.values)
  }

  private func checkInverse(_ reference: Reference) throws {
    // Where the inverse has another inverse, the two need not agree.
    guard let inverse = reference.slot.inverse, !reference.slot.hasFurtherEnds else { return }
    for member in reference.node.members(reference.slot.name) where !member.leads(by: inverse.name, to: reference.node)
    {
      throw StoreFileProblem(
        "\(reference.slot.name) leads to the object \(member.objectID.key), whose \(inverse.name) does not lead back.",
        at: reference.place)
    }
  }
}

extension NSAtomicStoreCacheNode {
  /// Whether a relationship of this node leads to the other node.
  final func leads(by name: String, to other: NSAtomicStoreCacheNode) -> Bool {
    switch value(forKey: name) {
    case let set as NSSet: set.contains(other)
    case let set as NSOrderedSet: set.contains(other)
    case let node as NSAtomicStoreCacheNode: node === other
    default: false
    }
  }
}
