/// The types of value that an attribute can hold, with the numbers that Apple's files use.
///
/// ```swift
/// let types = Entry.entity().attributesByName.mapValues(\.attributeType)
/// print(types["title"] == .stringAttributeType, types["date"]?.rawValue ?? 0)  // true 900
/// ```
///
/// See also ``NSAttributeDescription/attributeType``.
public enum NSAttributeType: UInt, Sendable {
  /// No type: valid for transient attributes, whose values may be any objects. A persistent attribute of this type must
  /// be nil when it is saved, else the save fails with 1550 (D-STO-09).
  ///
  /// ```swift
  /// let cache = NSAttributeDescription()
  /// cache.name = "cache"
  /// cache.isTransient = true
  /// print(cache.attributeType == .undefinedAttributeType)  // true
  /// ```
  case undefinedAttributeType = 0
  /// A signed integer of 16 bits, `Int16`: -32,768 to 32,767. SQLite stores an integer in as many bytes as its value
  /// needs, whatever the type: choose the type by its range. Setting a larger number stops the program.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.rating = 5
  /// print(Int16.max, type(of: entry.rating))  // 32767 Int16
  /// ```
  case integer16AttributeType = 100
  /// A signed integer of 32 bits, `Int32`: about 2 thousand millions in either direction. Changing the type to 64 bits
  /// later is an inferred migration.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.words += 1
  /// print(entry.words, type(of: entry.words))  // 121 Int32
  /// ```
  case integer32AttributeType = 200
  /// A signed integer of 64 bits, `Int64`, for example for keys of a server and counts of bytes. Sums of such integers
  /// in SQL, by `@sum`, are floating-point numbers, and inexact beyond 2^53 (D-PRE-13).
  ///
  /// ```swift
  /// let bytes = NSAttributeDescription()
  /// bytes.name = "bytes"
  /// bytes.attributeType = .integer64AttributeType
  /// bytes.defaultValue = Int64(0)
  /// print(bytes.attributeValueClassName ?? "none")  // NSNumber
  /// ```
  case integer64AttributeType = 300
  /// A decimal number, `NSDecimalNumber`, of 38 digits: for money. SQLite stores a whole number that fits 64 bits
  /// exactly, and any other number as the nearest double (D-SQL-03): for exact sums keep cents in an integer.
  ///
  /// ```swift
  /// let price = NSAttributeDescription()
  /// price.name = "price"
  /// price.attributeType = .decimalAttributeType
  /// price.defaultValue = Decimal(string: "9.99")
  /// print(price.defaultValue is NSDecimalNumber)  // true
  /// ```
  case decimalAttributeType = 400
  /// A floating-point number of 64 bits, `Double`. NaN is stored as nil; if the attribute is mandatory, the save fails
  /// with 1570 (D-OBJ-13).
  ///
  /// ```swift
  /// let latitude = NSAttributeDescription()
  /// latitude.name = "latitude"
  /// latitude.attributeType = .doubleAttributeType
  /// print(latitude.attributeValueClassName ?? "none")  // NSNumber
  /// ```
  case doubleAttributeType = 500
  /// A floating-point number of 32 bits, `Float`, of seven digits. SQLite stores eight bytes nevertheless: use
  /// `doubleAttributeType` unless you need this type. A constant such as `0.1` in a predicate equals no stored Float:
  /// compare by a range.
  ///
  /// ```swift
  /// let volume = NSAttributeDescription()
  /// volume.name = "volume"
  /// volume.attributeType = .floatAttributeType
  /// volume.defaultValue = Float(0.5)
  /// print(volume.defaultValue as? Float ?? 0)  // 0.5
  /// ```
  case floatAttributeType = 600
  /// A string. An empty string is not nil: it satisfies a mandatory attribute, and nil does not. Strings are compared
  /// character by character, unless the operator has `[c]` or `[cd]`.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "title ==[c] %@", "MONDAY")
  /// print(try context.count(for: request))  // 1
  /// ```
  case stringAttributeType = 700
  /// A truth value, `Bool`; 0 or 1 in the store. In a predicate write `isPinned == YES`.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "isPinned == NO")
  /// print(try context.count(for: request))  // 2
  /// ```
  case booleanAttributeType = 800
  /// A date, `Date`: a moment, without time zone. Stored as seconds since the beginning of 2001 in UTC, a double.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.predicate = NSPredicate(format: "date > %@", (entry.date ?? Date()) as NSDate)
  /// print(try context.count(for: request))  // 2
  /// ```
  ///
  /// For a calendar day, such as a birthday, keep year, month and day, or a text. A NaN is refused with 1650.
  case dateAttributeType = 900
  /// Bytes, `Data`. They are stored in the row, and are read with it, unless
  /// ``NSAttributeDescription/allowsExternalBinaryDataStorage`` lets large values go to files. Without that keep large
  /// values in an entity of their own, behind a to-one relationship.
  ///
  /// ```swift
  /// let entry = try fetchEntry("Monday", in: context)
  /// entry.photo = Data([1, 2, 3])
  /// try context.save()
  /// print(entry.photo?.count ?? 0)  // 3
  /// ```
  case binaryDataAttributeType = 1000
  /// A `UUID`, 16 bytes in the store. Compare it with `%@`. If it is an identifier, give it a uniqueness constraint,
  /// which also makes the index for looking it up.
  ///
  /// ```swift
  /// let identifier = NSAttributeDescription()
  /// identifier.name = "identifier"
  /// identifier.attributeType = .UUIDAttributeType
  /// print(identifier.attributeValueClassName ?? "none")  // NSUUID
  /// ```
  ///
  /// A default value is the same for all objects: set the UUID in `awakeFromInsert()` instead.
  case UUIDAttributeType = 1100
  /// A `URL`, kept as text. The URL of a file is absolute, and is wrong after its folder has moved: keep a relative
  /// path instead.
  ///
  /// ```swift
  /// let address = NSAttributeDescription()
  /// address.name = "address"
  /// address.attributeType = .URIAttributeType
  /// address.defaultValue = URL(string: "https://example.org")
  /// print(address.attributeValueClassName ?? "none")  // NSURL
  /// ```
  case URIAttributeType = 1200
  /// Any value that a value transformer turns into bytes; by default the values that the secure transformer takes
  /// (D-ARC-09). SQL can only compare such a value with nil (D-PRE-21): use plain attributes or a composite for values
  /// that are searched.
  ///
  /// ```swift
  /// let colours = NSAttributeDescription()
  /// colours.name = "colours"
  /// colours.attributeType = .transformableAttributeType
  /// colours.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
  /// print(colours.attributeValueClassName ?? "any")  // any
  /// ```
  ///
  /// A value that cannot be archived makes the save fail with 1550 (D-STO-07). Bytes that cannot be decoded are read as
  /// nil, and stay in the store (D-STO-08).
  ///
  /// See also ``NSManagedObject/transformedValue(forKey:)``.
  case transformableAttributeType = 1800
  /// The identifier of a managed object: valid in fetch results only, as the type of an expression for the object
  /// itself.
  ///
  /// ```swift
  /// let id = NSExpressionDescription()
  /// id.name = "id"
  /// id.expression = NSExpression.expressionForEvaluatedObject()
  /// id.expressionResultType = .objectIDAttributeType
  /// let request = NSFetchRequest<[String: Any]>(entityName: "Tag")
  /// request.resultType = .dictionaryResultType
  /// request.propertiesToFetch = [id, "name"]
  /// print(try context.fetch(request).allSatisfy { $0["id"] is NSManagedObjectID })  // true
  /// ```
  case objectIDAttributeType = 2000
  /// A group of attributes under one name, ``NSCompositeAttributeDescription``. Its elements are columns, and
  /// `address.city` is a key path for predicates.
  case compositeAttributeType = 2100

  /// The class name that Apple's files state for a value of the type; nil if the type alone does not determine the
  /// class.
  var valueClassName: String? {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .compositeAttributeType: "NSDictionary"
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType: nil
    }
  }
}
