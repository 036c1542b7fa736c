import Foundation

extension NSManagedObjectModel {
  /// Returns a copy of the model that can be changed, with copies of its entities and properties. To change a model
  /// that is in use, change a copy of it.
  public final func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    var properties: [ObjectIdentifier: NSPropertyDescription] = [:]
    let roots = storedEntities.filter { $0.parent == nil }.map { $0.detachedCopy(replaced: &properties) }
    copy.entities = roots
    let copies = copy.entitiesByName
    // The copies were made from the root entities down. This restores the order of the original.
    copy.entities = storedEntities.compactMap { $0.name.flatMap { copies[$0] } }
    for case let relationship as NSRelationshipDescription in properties.values {
      relationship.destinationEntity = relationship.destinationEntity?.name.flatMap { copies[$0] }
      relationship.inverseRelationship = relationship.inverseRelationship.flatMap {
        properties[ObjectIdentifier($0)] as? NSRelationshipDescription
      }
    }
    for (index, element) in copy.entities.flatMap(\.indexes).flatMap({ i in i.elements.map { (i, $0) } }) {
      guard let property = element.storedProperty, let owner = index.owner else { continue }
      element.storedProperty = owner.propertiesByName[property.name] ?? property
    }
    copy.versionIdentifiers = versionIdentifiers
    copy.templates = templates
    copy.localizationDictionary = localizationDictionary
    copy.entitiesByConfiguration = entitiesByConfiguration.mapValues { members in
      members.compactMap { $0.name.flatMap { copies[$0] } }
    }
    return copy
  }
}
