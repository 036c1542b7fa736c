//
//  Entities.swift
//  InCode
//

import CoreData

/// The base of all entities, abstract.
@objc(Item)
class Item: NSManagedObject {

    @NSManaged var identifier: UUID
    @NSManaged var createdAt: Date

    class var entityName: String { return "Item" }

    override class func entity() -> NSEntityDescription {
        return ModelBuilder.shared.entity(named: entityName)
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: "identifier")
        setPrimitiveValue(Date(), forKey: "createdAt")
    }

}

@objc(Invoice)
final class Invoice: Item {

    @NSManaged var number: String
    @NSManaged var lines: NSOrderedSet
    @NSManaged var customer: Customer?
    @NSManaged var lineCount: Int64
    @NSManaged var searchNumber: String?
    @NSManaged var total: NSDecimalNumber?

    override class var entityName: String { return "Invoice" }

    @nonobjc class func fetchRequest() -> NSFetchRequest<Invoice> {
        let request = NSFetchRequest<Invoice>()
        request.entity = entity()
        return request
    }

    convenience init(number: String, insertInto context: NSManagedObjectContext?) {
        self.init(entity: Self.entity(), insertInto: context)
        self.number = number
    }

    var allLines: [Line] { return lines.array as! [Line] }

    override func willSave() {
        super.willSave()
        let sum = allLines.reduce(NSDecimalNumber.zero) { $0.adding($1.price) }
        if total != sum { total = sum }
    }

}

@objc(Line)
final class Line: Item {

    @NSManaged var text: String?
    @NSManaged var price: NSDecimalNumber
    @NSManaged var invoice: Invoice?

    override class var entityName: String { return "Line" }

    convenience init(text: String, price: NSDecimalNumber, invoice: Invoice) {
        self.init(entity: Line.entity(), insertInto: invoice.managedObjectContext)
        self.text = text
        self.price = price
        self.invoice = invoice
    }

}

@objc(Customer)
class Customer: Item {

    @NSManaged var name: String
    @NSManaged var address: [String: Any]?
    @NSManaged var labels: [String]?
    @NSManaged var invoices: Set<Invoice>

    /// Kept beside the object, and never saved.
    var isSelected = false
    private(set) var wakeUps = 0

    override class var entityName: String { return "Customer" }

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        isSelected = context == nil
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        wakeUps += 1
    }

}
