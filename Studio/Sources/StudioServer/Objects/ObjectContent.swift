import CommandSupport
import CoreData
import CoreDataTools
import Foundation

/// The content of the page of an object.
struct ObjectContent: Sendable {
  struct Attribute: Sendable {
    let name: String
    let type: String
    let text: String
    let isNone: Bool
    let isSecret: Bool
    /// A date in UTC, which the page's script shows in the reader's zone, too.
    let date: String?
    let picture: String?
    let bytes: Bytes?
    /// The decoded value of a transformable attribute, as text.
    let decoded: String?
  }

  struct Bytes: Sendable {
    let count: String
    let link: String
    let hexadecimal: String
    let isCut: Bool
  }

  struct ToOne: Sendable {
    let name: String
    let destination: String?
    let target: String?
    let type: String
  }

  struct ToMany: Sendable {
    let name: String
    let count: String
    let link: String
    let type: String
    let isOrdered: Bool
  }

  let name: String
  let entity: String
  let entityLink: String
  let attributes: [Attribute]
  let toOnes: [ToOne]
  let toManys: [ToMany]
  let hasRelationships: Bool

  init(_ object: StoredObject, _ store: String, model: NSManagedObjectModel) {
    let own = Link.object(store, object.reference.description)
    let entity = model.entitiesByName[object.reference.entity]
    let secrets = SecretKeyPaths(object.reference.entity, model)
    name = object.reference.description
    self.entity = object.reference.entity
    entityLink = Link.entity(store, object.reference.entity)
    attributes = object.attributes.map { attribute in
      Self.attribute(
        attribute, entity?.attributesByName[attribute.keyPath], own, isSecret: secrets.contains(attribute.keyPath))
    }
    toOnes = object.toOnes.map { toOne in
      ToOne(
        name: toOne.name, destination: toOne.destination?.description,
        target: toOne.destination.map { Link.object(store, $0.description) },
        type: entity?.relationshipsByName[toOne.name]?.destinationEntity?.name ?? "")
    }
    toManys = object.toManys.map { toMany in
      ToMany(
        name: toMany.name, count: FigureText.count(toMany.count, "object"),
        link: own + "/members/" + Link.escaped(toMany.name),
        type: entity?.relationshipsByName[toMany.name]?.destinationEntity?.name ?? "", isOrdered: toMany.isOrdered)
    }
    hasRelationships = !toOnes.isEmpty || !toManys.isEmpty
  }

  private static func attribute(
    _ attribute: StoredObject.Attribute, _ description: NSAttributeDescription?, _ own: String, isSecret: Bool
  ) -> Attribute {
    let type = description?.typeName ?? ""
    if isSecret, attribute.value != .null {
      return Attribute(
        name: attribute.keyPath, type: type, text: "", isNone: false, isSecret: true, date: nil, picture: nil,
        bytes: nil, decoded: nil)
    }
    var date: String?, picture: String?, bytes: Bytes?, decoded: String?
    var text = attribute.value.plain ?? ""
    if case .date = attribute.value { date = text }
    if case .data(let data) = attribute.value {
      let link = own + "/data/" + Link.escaped(attribute.keyPath)
      if PictureType(data) != nil { picture = link }
      bytes = Bytes(
        count: FigureText.count(data.count, "byte"), link: link, hexadecimal: HexadecimalText.lines(of: data),
        isCut: data.count > HexadecimalText.limit)
      text = ""
      if let description, description.attributeType == .transformableAttributeType {
        decoded = TransformedText.text(of: data, description)
      }
    }
    return Attribute(
      name: attribute.keyPath, type: type, text: text, isNone: attribute.value == .null, isSecret: false, date: date,
      picture: picture, bytes: bytes, decoded: decoded)
  }
}
