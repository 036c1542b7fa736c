import Foundation

/// The bit of each property of an entity in the bitmap by which history tells which properties an update has changed.
package final class HistoryBitmapLayout: Sendable {
  /// The property of each bit: to-one relationships, attributes, to-many relationships; in each group the superentity's
  /// first, then by name. A to-one whose destination has subentities has two bits.
  package let properties: [NSPropertyDescription]
  /// The first bit for each slot of the entity's objects; -1 for a slot whose changes are not noted.
  package let firstBits: ContiguousArray<Int>

  package init(_ entity: NSEntityDescription) {
    let own = Self.line(of: entity).map { entity in
      let inherited = entity.superentity?.propertiesByName ?? [:]
      return entity.declaredProperties.filter { !$0.isTransient && inherited[$0.name] == nil }
        .sorted { $0.name < $1.name }
    }
    var properties: [NSPropertyDescription] = []
    var bitsByName: [String: Int] = [:]
    func add(_ property: NSPropertyDescription, width: Int) {
      bitsByName[property.name] = properties.count
      properties.append(contentsOf: repeatElement(property, count: width))
    }
    for case let toOne as NSRelationshipDescription in own.joined() where !toOne.isToMany {
      add(toOne, width: toOne.destinationEntity?.subentities.isEmpty == false ? 2 : 1)
    }
    for case let attribute as NSAttributeDescription in own.joined() { add(attribute, width: 1) }
    for case let toMany as NSRelationshipDescription in own.joined() where toMany.isToMany { add(toMany, width: 1) }
    self.properties = properties
    firstBits = ContiguousArray(
      entity.layout.slots.map { slot in
        // A change of an element of a composite attribute sets the composite's bit.
        let name = slot.isElement ? String(slot.name.prefix { $0 != "." }) : slot.name
        return slot.isTransient ? -1 : bitsByName[name] ?? -1
      })
  }

  /// `entity` and the entities that it inherits from, the root first.
  private static func line(of entity: NSEntityDescription) -> [NSEntityDescription] {
    let line = sequence(first: entity) { $0.superentity }
    return line.reversed()
  }

  /// A bitmap with a bit for every property, none of them set.
  package var emptyBitmap: Data { Data(count: (properties.count + 7) / 8) }

  /// Sets the bit of the property whose first bit is given.
  package func mark(_ bit: Int, in bitmap: inout Data) {
    let property = properties[bit]
    var bit = bit
    while bit < properties.count, properties[bit] === property {
      bitmap[bitmap.startIndex + bit / 8] |= 0x80 >> UInt8(bit % 8)
      bit += 1
    }
  }

  /// The bitmap of the properties that an update of the object changes.
  package func bitmap(of object: NSManagedObject) -> Data {
    var bitmap = emptyBitmap
    let layout = object.layout
    for (slot, bit) in zip(layout.slots, firstBits) where bit >= 0 {
      if slot.kind == .toMany {
        guard let state = object.relations?.states[slot.relationIndex] as? ToManyState, state.hasChanges else {
          continue
        }
      } else if slot.kind == .composite || object.changedValue(slot, untracked: true) == nil {
        continue
      }
      mark(bit, in: &bitmap)
    }
    return bitmap
  }

  /// The bitmap of the properties with those names.
  package func bitmap(of names: some Sequence<String>) -> Data {
    var bitmap = emptyBitmap
    for name in names {
      // A change of an element of a composite attribute sets the composite's bit.
      let name = name.prefix { $0 != "." }
      if let bit = properties.firstIndex(where: { $0.name == name }) { mark(bit, in: &bitmap) }
    }
    return bitmap
  }

  /// The properties whose bits are set. Bits beyond the last property are ignored.
  package func properties(in bitmap: Data) -> Set<NSPropertyDescription> {
    var result: Set<NSPropertyDescription> = []
    for (bit, property) in properties.enumerated() {
      guard bit / 8 < bitmap.count else { break }
      if bitmap[bitmap.startIndex + bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { result.insert(property) }
    }
    return result
  }
}
