//
//  Record+CoreDataClass.swift
//

import Foundation
import CoreData

@objc(Record)
open class Record: NSManagedObject {

    open override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: #keyPath(Record.identifier))
        setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 0), forKey: #keyPath(created))
    }

}
