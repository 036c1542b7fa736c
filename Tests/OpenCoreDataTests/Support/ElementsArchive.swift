import Foundation
import OpenCocoaFoundation

/// A model of Xcode 3 made by hand, in the layout of a real one. What generalizations, fetched properties, fetch requests and
/// configurations look like is assumed: no real file here has any.
enum ElementsArchive {
  static var shop: Data { archive(changing: "", [:]) }

  static let shopXML = """
    <model><entity name="Item" isAbstract="YES" elementID="Thing" versionHashModifier="two">
    <attribute name="name" attributeType="String" defaultValueString="none" minValueString="1" elementID="title"/>
    <attribute name="price" optional="YES" attributeType="Decimal" minValueString="0" maxValueString="99.5" indexed="YES"
    versionHashModifier="cents"><userInfo><entry key="unit" value="EUR"/></userInfo></attribute>
    <attribute name="since" optional="YES" attributeType="Date" defaultDateTimeInterval="3600"/>
    <attribute name="state" optional="YES" transient="YES" attributeType="Undefined"/>
    <fetchedProperty name="same" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="Item"
    predicateString="name == $FETCH_SOURCE.name"/></fetchedProperty>
    <compoundIndexes><compoundIndex><index value="name"/><index value="price"/></compoundIndex></compoundIndexes></entity>
    <entity name="Book" parentEntity="Item" representedClassName="Volume">
    <relationship name="shop" optional="YES" minCount="1" maxCount="1" deletionRule="Deny" destinationEntity="Shop"
    inverseName="books" inverseEntity="Shop"/></entity>
    <entity name="Shop"><relationship name="books" optional="YES" toMany="YES" maxCount="9" ordered="YES"
    deletionRule="Cascade" destinationEntity="Book" inverseName="shop" inverseEntity="Book"/></entity>
    <fetchRequest name="cheap" entity="Item" predicateString="price &lt; 5"/>
    <configuration name="Main"><memberEntity name="Shop"/></configuration></model>
    """

  /// The archive with other values of one property.
  static func archive(changing name: String, _ change: [String: PropertyListValue]) -> Data {
    var builder = Builder(changed: name, change: change)
    return builder.archive()
  }

  private struct Builder {
    let changed: String
    let change: [String: PropertyListValue]
    private var writer = KeyedArchiveWriter()

    init(changed: String, change: [String: PropertyListValue]) { (self.changed, self.change) = (changed, change) }

    private static func named(_ name: String) -> [String] {
      [name, "XDUMLNamedElementImp", "XDUMLElementImp", "NSObject"]
    }

    /// A stereotype: its values are the defaults of attributes.
    private mutating func stereotype(_ name: String, _ values: [String: PropertyListValue]) -> PropertyListValue {
      let entries = values.sorted { $0.key < $1.key }.map { key, value in
        (
          key: key,
          value: writer.add(
            Self.named("XDUMLPropertyImp"), ["_name": writer.add(text: key), "_default": reference(value)])
        )
      }
      return writer.add(
        Self.named("XDUMLStereotypeImp"),
        [
          "_name": writer.add(text: name),
          "XDBucketForOwnedAttributesstorage": writer.add(dictionary: entries, isMutable: true),
        ])
    }

    private mutating func reference(_ value: PropertyListValue) -> PropertyListValue {
      value.uidValue == nil ? writer.add(value) : value
    }

    private mutating func property(
      _ type: String, _ name: String, _ common: [String: PropertyListValue], _ special: String,
      _ values: [String: PropertyListValue], owner: PropertyListValue, as reserved: PropertyListValue? = nil
    ) -> (key: String, value: PropertyListValue) {
      let change = name == changed ? change : [:]
      let stereotypes = [
        (key: "XD_PPropStereotype", value: stereotype("XD_PPropStereotype", common)),
        (key: special, value: stereotype(special, values.merging(change) { $1 })),
      ]
      return (
        name,
        writer.add(
          Self.named(change["_class"]?.stringValue ?? type),
          [
            "_name": writer.add(text: name), "_owner": owner,
            "XDBucketForStereotypesstorage": writer.add(dictionary: stereotypes, isMutable: true),
          ], as: reserved)
      )
    }

    private mutating func attribute(
      _ name: String, _ type: Int64, _ values: [String: PropertyListValue] = [:],
      _ common: [String: PropertyListValue] = ["XD_PPSK_isOptional": .bool(true)], owner: PropertyListValue
    ) -> (key: String, value: PropertyListValue) {
      property(
        "XDPMAttribute", name, common, "XD_PAtt_Stereotype",
        values.merging(["XD_PAttK_attributeType": .integer(type)]) { $1 },
        owner: owner)
    }

    private mutating func entity(
      _ name: String, _ values: [String: PropertyListValue], _ properties: [(key: String, value: PropertyListValue)],
      parent: PropertyListValue? = nil, as reserved: PropertyListValue
    ) -> (key: String, value: PropertyListValue) {
      let generalizations = parent.map {
        [writer.add(Self.named("XDUMLGeneralizationImp"), ["_owner": reserved, "_general": $0])]
      }
      let stereotypes = [(key: "XD_PStereotype", value: stereotype("XD_PStereotype", values))]
      return (
        name,
        writer.add(
          Self.named("XDPMEntity"),
          [
            "_name": writer.add(text: name), "_isAbstract": .bool(false),
            "XDBucketForStereotypesstorage": writer.add(dictionary: stereotypes, isMutable: true),
            "XDBucketForOwnedAttributesstorage": writer.add(dictionary: properties, isMutable: true),
            "XDBucketForGeneralizationsstorage": writer.add(array: generalizations ?? [], isMutable: true),
          ], as: reserved)
      )
    }

    mutating func archive() -> Data {
      let item = writer.reserve(), book = writer.reserve(), shop = writer.reserve()
      let toShop = writer.reserve(), toBooks = writer.reserve()
      let sync = (key: "com.apple.syncservices.Syncable", value: writer.add(text: "NO"))
      let unit = writer.add(dictionary: [sync, (key: "unit", value: writer.add(text: "EUR"))], isMutable: true)
      let request = writer.add(
        Self.named("XDPMFetchRequest"),
        ["_owner": item, "_predicateString": writer.add(text: "name == $FETCH_SOURCE.name")])
      let cheap = writer.add(
        Self.named("XDPMFetchRequest"),
        ["_owner": item, "_name": writer.add(text: "cheap"), "_predicateString": writer.add(text: "price < 5")])
      let items = [
        attribute(
          "name", 700, ["XD_PAttK_defaultValueAsString": .string("none"), "XD_PAttK_minValueString": .string("1")],
          ["XD_PPSK_elementID": .string("title"), "XD_PPSK_isOptional": .bool(false)], owner: item),
        attribute(
          "price", 400, ["XD_PAttK_minValueString": .string("0"), "XD_PAttK_maxValueString": .string("99.5")],
          [
            "XD_PPSK_isIndexed": .bool(true), "XD_PPSK_isOptional": .bool(true), "XD_PPSK_userInfo": unit,
            "XD_PPSK_versionHashModifier": .string("cents"),
          ], owner: item),
        attribute("since", 900, ["XD_PAttK_defaultValueAsString": .string("2001-01-01 03:00:00 +0200")], owner: item),
        attribute(
          "state", 0, [:], ["XD_PPSK_isOptional": .bool(true), "XD_PPSK_isTransient": .bool(true)], owner: item),
        property(
          "XDPMFetchedProperty", "same", ["XD_PPSK_isOptional": .bool(true)], "XD_PFetched_Stereotype",
          ["XD_PFetchedK_fetchRequest": request], owner: item),
      ]
      let toBook = property(
        "XDPMRelationship", "books", ["XD_PPSK_isOptional": .bool(true)], "XD_PR_Stereotype",
        [
          "XD_PRK_isToMany": .bool(true), "XD_PRK_minCount": .integer(0), "XD_PRK_maxCount": .integer(9),
          "XD_PRK_deleteRule": .integer(2), "XD_PRK_ordered": .bool(true), "XD_PRK_destination": book,
          "XD_PRK_inverseRelationship": toShop,
        ], owner: shop, as: toBooks)
      let ofBook = property(
        "XDPMRelationship", "shop", ["XD_PPSK_isOptional": .bool(true)], "XD_PR_Stereotype",
        [
          "XD_PRK_isToMany": .bool(false), "XD_PRK_minCount": .integer(1), "XD_PRK_maxCount": .integer(1),
          "XD_PRK_deleteRule": .integer(3), "XD_PRK_destination": shop, "XD_PRK_inverseRelationship": toBooks,
        ], owner: book, as: toShop)
      let index = writer.add(array: [writer.add(text: "name"), writer.add(text: "price")])
      let entities = [
        entity(
          "Item",
          [
            "XD_PSK_isAbstract": .bool(true), "XD_PSK_elementID": .string("Thing"),
            "XD_PSK_versionHashModifier": .string("two"), "XDPMCompoundIndexes": writer.add(array: [index]),
            "XD_PSK_fetchRequestsArray": writer.add(array: [cheap], isMutable: true),
          ], items, as: item),
        entity("Book", ["XD_PSK_entityClassName": .string("Volume")], [ofBook], parent: item, as: book),
        entity("Shop", [:], [toBook], as: shop),
      ]
      let package = writer.add(
        Self.named("XDModelPackage"),
        ["XDBucketForClassesstorage": writer.add(dictionary: entities, isMutable: true), "_name": writer.add(text: "")])
      let main = writer.add(array: [shop])
      let root = writer.add(
        ["XDPMModel", "XDModel", "NSObject"],
        [
          "_xd_rootPackage": package, "_xd_modelName": writer.add(text: "Shop.xcdatamodel"),
          "_configurationsByName": writer.add(dictionary: [(key: "Main", value: main)], isMutable: true),
        ])
      return writer.serialized(root: root)
    }
  }
}
