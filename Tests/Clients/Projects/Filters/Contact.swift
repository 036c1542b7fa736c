//
//  Contact.swift
//  Filters
//

import CoreData

@objc(Contact)
final class Contact: NSManagedObject {

    @NSManaged var age: Int32
    @NSManaged var birthday: Date?
    @NSManaged var isFavorite: Bool
    @NSManaged var name: String?
    @NSManaged var company: Company?

    @objc var firstLetter: String {
        return String(name?.prefix(1) ?? "")
    }

}

@objc(Company)
class Company: NSManagedObject {

    @NSManaged var city: String?
    @NSManaged var name: String?
    @NSManaged var contacts: Set<Contact>

}
