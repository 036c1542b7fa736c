//
//  Record+CoreDataProperties.swift
//

import Foundation
import CoreData


extension Record {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Record> {
        return NSFetchRequest<Record>(entityName: "Record")
    }

    @NSManaged public var created: Date?
    @NSManaged public var identifier: UUID?

}

extension Record : Identifiable {

}
