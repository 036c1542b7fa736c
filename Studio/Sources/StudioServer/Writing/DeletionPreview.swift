import CommandSupport
import CoreData
import CoreDataTools
import Foundation

/// The effects of the delete rules if an object is deleted.
struct DeletionPreview: Sendable {
  struct Item: Sendable {
    let itemName: String
    let itemTitle: String
    let itemLink: String
    /// The effect on the object, in words.
    let words: String
  }

  /// The objects of one entity that are deleted together with the object.
  struct Group: Sendable {
    let groupTitle: String
    let items: [Item]
    let isCut: Bool
  }

  /// The maximal number of objects shown for each kind of effect.
  private static let limit = 50

  let reference: EditReference
  let objectTitle: String
  let groups: [Group]
  let takesOthers: Bool
  let total: String
  let loosened: [Item]
  let loosens: Bool
  let isLoosenedCut: Bool
  let refusals: [String]
  let isRefused: Bool
  /// A digest of the effects, to check that the deletion does what the page showed.
  let mark: String

  /// - Parameter object: An object in a context whose changes are discarded. The object is deleted there.
  init(_ object: NSManagedObject, _ session: EditSession) throws {
    guard let context = object.managedObjectContext else { throw StudioError.notFound("The object is gone.") }
    reference = session.reference(object)
    objectTitle = ObjectTitle.text(of: object) ?? ""
    func item(_ object: NSManagedObject, _ words: String) -> Item {
      let name = session.reference(object).description
      return Item(
        itemName: name, itemTitle: ObjectTitle.text(of: object) ?? "", itemLink: EditLink.object(session.store, name),
        words: words)
    }
    // The deletion and its delete rules take effect in this context only.
    context.delete(object)
    context.processPendingChanges()
    let others = context.deletedObjects.filter { $0 !== object }
    let updated = context.updatedObjects.filter { !$0.isDeleted }
    var refusals: [String] = []
    func collect(_ object: NSManagedObject, _ keys: Set<String>?, _ body: () throws -> Void) {
      do { try body() } catch {
        for (key, text) in ValidationProblems.texts(error as NSError, object.entity) where keys?.contains(key) ?? true {
          refusals.append("\(session.reference(object)): \(text)")
        }
      }
    }
    collect(object, nil) { try object.validateForDelete() }
    for other in others { collect(other, nil) { try other.validateForDelete() } }
    var loosened: [(NSManagedObject, [String])] = []
    for other in updated {
      let names = other.changedValues().keys.filter { other.entity.relationshipsByName[$0] != nil }
      if names.isEmpty { continue }
      loosened.append((other, names.sorted()))
      if !other.isInserted { collect(other, Set(names)) { try other.validateForUpdate() } }
    }
    loosened.sort { "\(session.reference($0.0))" < "\(session.reference($1.0))" }
    groups = Dictionary(grouping: others) { $0.entity.name ?? "" }.sorted { $0.key < $1.key }.map { name, objects in
      let sorted = objects.sorted { session.reference($0).description < session.reference($1).description }
      return Group(
        groupTitle: FigureText.count(objects.count, "object") + " of " + name,
        items: sorted.prefix(Self.limit).map { item($0, "") }, isCut: objects.count > Self.limit)
    }
    takesOthers = !others.isEmpty
    total = FigureText.count(others.count + 1, "object")
    self.loosened = loosened.prefix(Self.limit).map { item($0.0, "loses it from " + $0.1.joined(separator: ", ")) }
    loosens = !loosened.isEmpty
    isLoosenedCut = loosened.count > Self.limit
    self.refusals = refusals.sorted()
    isRefused = !refusals.isEmpty
    let names = others.map { session.reference($0).description } + loosened.map { "\(session.reference($0.0)) \($0.1)" }
    mark = FieldText.mark(names.sorted().joined(separator: "\n").utf8)
  }
}
