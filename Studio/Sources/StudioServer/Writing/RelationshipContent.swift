import CoreData
import Foundation

/// The field of a relationship.
struct RelationshipContent: Sendable {
  struct Member: Sendable {
    let memberName: String
    let memberTitle: String
    let memberLink: String
    /// The member's place in an ordered relationship, counted from 1.
    let place: String
  }

  /// The maximal number of members in a form. A quarter as many objects are proposed.
  static let limit = 100

  let id: String
  let keyPath: String
  let fieldType: String
  let hint: String
  let problem: String
  let fieldValue: String
  let was: String
  let isMany: Bool
  let isFirstProblem: Bool
  let destination: String
  let destinationLink: String
  let candidates: [Member]
  let members: [Member]
  let hasMembers: Bool
  /// Whether places can be typed: the relationship is ordered, and all its members are shown.
  let canOrder: Bool

  let hasProblem: Bool

  init(
    _ name: String, _ relationship: NSRelationshipDescription, of object: NSManagedObject, _ session: EditSession,
    form: ObjectForm?, isFirstProblem: Bool
  ) throws {
    id = "field-" + name
    keyPath = name
    isMany = relationship.isToMany
    destination = relationship.destinationEntity?.name ?? ""
    destinationLink = Link.entity(session.store, destination)
    fieldType = "\(isMany ? "to many" : "to one") \(destination)\(relationship.isOrdered ? ", ordered" : "")"
    problem = form?.problems[name] ?? ""
    hasProblem = !problem.isEmpty
    self.isFirstProblem = isFirstProblem
    func member(_ object: NSManagedObject, place: String = "") -> Member {
      let reference = session.reference(object).description
      return Member(
        memberName: reference, memberTitle: ObjectTitle.text(of: object) ?? "",
        memberLink: EditLink.object(session.store, reference), place: place)
    }
    var count = 0
    let places = form?.places[name] ?? []
    if isMany {
      let ids = object.objectIDs(forRelationshipNamed: name)
      count = ids.count
      members = try ids.prefix(Self.limit).enumerated().compactMap { index, id in
        try object.managedObjectContext.map {
          member(
            try $0.existingObject(with: id), place: places.indices.contains(index) ? places[index] : String(index + 1))
        }
      }
      was = ""
    } else {
      members = []
      was = (object.value(forKey: name) as? NSManagedObject).map { session.reference($0).description } ?? ""
    }
    hasMembers = !members.isEmpty
    canOrder = relationship.isOrdered && count > 1 && count <= Self.limit
    fieldValue = form?.typed[name] ?? was
    let request = NSFetchRequest<NSManagedObject>(entityName: destination)
    request.fetchLimit = Self.limit / 4
    candidates = try object.managedObjectContext?.fetch(request).map { member($0) } ?? []
    let cut = count > Self.limit ? "the first \(Self.limit) of \(count) members are shown" : ""
    let required = relationship.isOptional || isMany ? "" : "required"
    let fixed =
      relationship.isOrdered && count > Self.limit
      ? "more than \(Self.limit) members are not put into another order here" : ""
    hint = [required, cut, fixed].filter { !$0.isEmpty }.joined(separator: "; ")
  }
}
